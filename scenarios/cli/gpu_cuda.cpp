#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "runtime/cuda/cuda_device.h"
#include "runtime/exec/cuda_backend.h"
#include "scenarios/cli/gpu.h"

namespace quintet {

namespace {

/// $XDG_CACHE_HOME or ~/.cache; empty where there is neither.
std::filesystem::path cache_folder() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return cache;
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::filesystem::path(home) / ".cache";
  return {};
}

std::filesystem::path plans_file(const std::string& asked) {
  if (!asked.empty()) return asked;
  const std::filesystem::path cache = cache_folder();
  return cache.empty() ? cache : cache / "quintet" / "plans.tsv";
}

}  // namespace

Result<GpuReport> describe_gpus() {
  const Result<std::vector<CudaDevice>> devices = list_cuda_devices();
  if (!devices) return tl::unexpected(devices.error());
  const CudaVersions versions = cuda_versions();
  GpuReport report{
      {}, versions.driver, versions.runtime, versions.cudnn, versions.cublaslt, versions.nccl};
  for (const CudaDevice& device : *devices) {
    report.gpus.push_back({device.name,
                           fmt::format("{}.{}", device.compute_major, device.compute_minor),
                           device.multiprocessors, device.memory_bytes});
  }
  return report;
}

Result<std::shared_ptr<Backend>> open_gpu(const std::string& plans) {
  Result<std::unique_ptr<CudaBackend>> backend =
      CudaBackend::open(PlanSearch::measured, plans_file(plans));
  if (!backend) return tl::unexpected(backend.error());
  return std::shared_ptr<Backend>(std::move(*backend));
}

}  // namespace quintet
