#include "profiler/capture/device_provenance.h"

#include <optional>
#include <string>

#include "profiler/capture/cupti_records.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/device_connections.h"

namespace quintet {

Provenance device_provenance() {
  const Result<std::vector<CudaDevice>> devices = list_cuda_devices();
  if (!devices) return {};
  const CudaVersions versions = cuda_versions();
  const std::optional<int> connections = asked_connections();
  return {{"gpu", devices->front().name},
          {"multiprocessors", std::to_string(devices->front().multiprocessors)},
          {"connections", connections ? std::to_string(*connections) : "default"},
          {"cuda_driver", versions.driver},
          {"cuda_runtime", versions.runtime},
          {"cudnn", versions.cudnn},
          {"cupti", std::to_string(kCuptiRecordsVersion)}};
}

}  // namespace quintet
