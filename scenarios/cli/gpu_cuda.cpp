#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

#include "profiler/capture/device_recorder.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/device_connections.h"
#include "runtime/cuda/noted_failures.h"
#include "runtime/exec/captured_proof.h"
#include "runtime/exec/cuda_backend.h"
#include "runtime/exec/cuda_executor.h"
#include "runtime/observe/nvtx_observer.h"
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

/// A key says nothing of how its plan was chosen, so each kind of search has a file.
std::filesystem::path plans_file(PlanSearch search, const std::string& asked) {
  if (!asked.empty()) return asked;
  const std::filesystem::path cache = cache_folder();
  const char* name = search == PlanSearch::measured ? "plans.tsv" : "first_plans.tsv";
  return cache.empty() ? cache : cache / "quintet" / name;
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

Result<std::shared_ptr<Backend>> open_gpu(PlanSearch search, const std::string& plans,
                                          int connections) {
  if (connections > 0) ask_connections(connections);
  Result<std::unique_ptr<CudaBackend>> backend =
      CudaBackend::open(search, plans_file(search, plans));
  if (!backend) return tl::unexpected(backend.error());
  return std::shared_ptr<Backend>(std::move(*backend));
}

Result<std::unique_ptr<Observer>> record_gpu(HostRecorder& host, DeviceRecording mode) {
  return std::make_unique<DeviceRecorder>(host, mode);
}

std::unique_ptr<Observer> annotate_run() {
  return NvtxObserver::attach();
}

DeviceFailures device_failures() {
  DeviceFailures kinds = noted_failure_kinds();
  std::int64_t unnamed = noted_failures();
  for (const auto& [text, count] : kinds)
    unnamed -= count;
  if (unnamed > 0) kinds["giving back what the GPU held: out of memory"] += unnamed;
  return kinds;
}

Result<CapturedGraphs> prove_captured_graphs(const TrainingSession& session) {
  StepIo io = session.make_io();
  const std::unique_ptr<Executor> executor = session.make_executor(io, nullptr);
  CapturedGraphs all;
  for (const auto& [key, tasks] : dynamic_cast<const CudaExecutor&>(*executor).captured()) {
    const CapturedProof proof = prove_captured(session.plan(), tasks);
    ++all.graphs;
    all.nodes += proof.nodes;
    all.edges += proof.edges;
    all.conflicting_pairs += proof.conflicting_pairs;
    for (const std::string& finding : proof.findings)
      all.findings.push_back(fmt::format("{}: {}", session.plan().name(key), finding));
  }
  return all;
}

}  // namespace quintet
