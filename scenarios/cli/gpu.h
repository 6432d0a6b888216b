/// What the command knows of GPUs. Two implementations, one of which a build has: gpu_cuda.cpp with
/// the CUDA toolkit, gpu_none.cpp without.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/exec/backend.h"
#include "runtime/model/result.h"

namespace quintet {

/// One GPU, as `quintet devices` lists it.
struct Gpu {
  std::string name;
  std::string compute;  ///< "9.0"
  int multiprocessors = 0;
  std::uint64_t memory_bytes = 0;
};

struct GpuReport {
  std::vector<Gpu> gpus;
  std::string driver, runtime, cudnn, cublaslt, nccl;  ///< versions; "none" = not there
};

/// Errors say what is missing: a build without CUDA, no driver, no GPU.
Result<GpuReport> describe_gpus();

/// The executor `cuda`; its plans are searched by measuring and kept in `plans` (empty: the user's
/// cache folder). Errors: describe_gpus'; a file of plans that cannot be read.
Result<std::shared_ptr<Backend>> open_gpu(const std::string& plans);

}  // namespace quintet
