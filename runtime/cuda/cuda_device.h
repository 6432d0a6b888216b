/// The GPUs of this machine, and what is missing where there are none.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/model/result.h"

namespace quintet {

struct CudaDevice {
  int index = 0;
  std::string name;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
};

/// Versions of driver and libraries, "13.0", "9.19.0"; of what is not there "none".
struct CudaVersions {
  std::string driver, runtime, cudnn, cublaslt, nccl;
};

/// Every device, at least one. Errors say what is missing: no driver, a driver too old for this
/// build, no device that it can see.
Result<std::vector<CudaDevice>> list_cuda_devices();

CudaVersions cuda_versions();

}  // namespace quintet
