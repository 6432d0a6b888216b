#include "profiler/capture/device_provenance.h"

#include <string>

#include "profiler/capture/cupti_records.h"
#include "runtime/cuda/cuda_device.h"

namespace quintet {

Provenance device_provenance() {
  const Result<std::vector<CudaDevice>> devices = list_cuda_devices();
  if (!devices) return {};
  const CudaVersions versions = cuda_versions();
  return {{"gpu", devices->front().name},
          {"multiprocessors", std::to_string(devices->front().multiprocessors)},
          {"cuda_driver", versions.driver},
          {"cuda_runtime", versions.runtime},
          {"cudnn", versions.cudnn},
          {"cupti", std::to_string(kCuptiRecordsVersion)}};
}

}  // namespace quintet
