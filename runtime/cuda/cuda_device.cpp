#include "runtime/cuda/cuda_device.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <fmt/format.h>
#include <nccl.h>

#include "runtime/cuda/cuda_error.h"

namespace quintet {

namespace {

/// CUDA's 13000 as "13.0"; 0 as "none".
std::string cuda_version_text(int version) {
  if (version == 0) return "none";
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

/// cuDNN's 91900, NCCL's 22809 and cuBLASLt's 130100 as three numbers.
std::string library_version_text(std::size_t version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace

Result<std::vector<CudaDevice>> list_cuda_devices() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) static_cast<void>(cudaGetLastError());
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    if (driver == 0)
      return fail("no NVIDIA driver is loaded", "install the driver, or use --executor host");
    return fail(fmt::format("the NVIDIA driver is too old: it serves CUDA {}, this build needs {}",
                            cuda_version_text(driver), cuda_version_text(CUDART_VERSION)),
                "update the driver, or use --executor host");
  }
  if (status != cudaSuccess) {
    return fail(fmt::format("no NVIDIA GPU can be used: {}", cudaGetErrorString(status)),
                "check nvidia-smi, or use --executor host");
  }
  if (count == 0)
    return fail("the NVIDIA driver sees no GPU", "check nvidia-smi, or use --executor host");
  std::vector<CudaDevice> devices;
  for (int index = 0; index < count; ++index) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, index), "asking for a device's properties");
    devices.push_back({index, static_cast<const char*>(properties.name), properties.major,
                       properties.minor, properties.multiProcessorCount,
                       properties.totalGlobalMem});
  }
  return devices;
}

CudaVersions cuda_versions() {
  int driver = 0;
  int runtime = 0;
  int nccl = 0;
  static_cast<void>(cudaDriverGetVersion(&driver));
  static_cast<void>(cudaRuntimeGetVersion(&runtime));
  static_cast<void>(ncclGetVersion(&nccl));
  return {cuda_version_text(driver), cuda_version_text(runtime),
          library_version_text(cudnnGetVersion()), library_version_text(cublasLtGetVersion()),
          library_version_text(static_cast<std::size_t>(nccl))};
}

}  // namespace quintet
