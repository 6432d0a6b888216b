#include "runtime/exec/cuda_backend.h"

#include <cstdio>

#include "runtime/cuda/cuda_device.h"
#include "runtime/cuda/cuda_error.h"
#include "runtime/exec/cuda_executor.h"
#include "runtime/exec/delayed_cuda_kernel.h"
#include "runtime/exec/starting_values.h"
#include "runtime/ops/cuda_kernel_catalog.h"

namespace quintet {

Result<std::unique_ptr<CudaBackend>> CudaBackend::open(PlanSearch search,
                                                       std::filesystem::path plans,
                                                       ArenaMode memory) {
  if (const Result<std::vector<CudaDevice>> devices = list_cuda_devices(); !devices)
    return tl::unexpected(devices.error());
  std::unique_ptr<CudaBackend> backend(new CudaBackend(search, std::move(plans), memory));
  if (!backend->plans_file_.empty()) {
    if (auto loaded = backend->store_.load(backend->plans_file_); !loaded)
      return tl::unexpected(loaded.error());
  }
  backend->planner_ = std::make_unique<KernelPlanner>(backend->store_);
  return backend;
}

FeatureSharing CudaBackend::sharing() const {
  switch (memory_) {
    case ArenaMode::one_allocation:
    case ArenaMode::poisoned:
      return FeatureSharing::by_lifetime;
    case ArenaMode::guarded:
      return FeatureSharing::none;
  }
  return FeatureSharing::none;
}

Result<std::uint64_t> CudaBackend::workspace_bytes(const Task& task, const TensorTable& tensors) {
  try {
    const Result<std::unique_ptr<CudaKernel>> kernel = make_cuda_kernel(task, tensors, *planner_);
    if (!kernel) return tl::unexpected(kernel.error());
    return (*kernel)->workspace_bytes();
  } catch (const CudaError& error) {
    return fail(error.what());
  }
}

std::unique_ptr<Executor> CudaBackend::make_executor(const ExecutionPlan& plan,
                                                     const TrainingSpec& spec, StepIo& io,
                                                     Observer* observer) {
  CudaTaskKernels kernels;
  for (const Task& task : plan.tasks) {
    kernels.host.push_back(runs_on_host(task.graph) ? io.make_kernel(task, plan.tensors) : nullptr);
    kernels.device.emplace_back();
    if (runs_on_host(task.graph)) continue;
    Result<std::unique_ptr<CudaKernel>> kernel = make_cuda_kernel(task, plan.tensors, *planner_);
    if (!kernel) throw CudaError(to_string(kernel.error()));
    kernels.device.back() = std::move(*kernel);
    if (const auto delay = delays_.find(task.layer); delay != delays_.end()) {
      kernels.device.back() =
          std::make_unique<DelayedCudaKernel>(std::move(kernels.device.back()), delay->second);
    }
  }
  if (const Result<void> saved = save_plans(); !saved)
    std::fprintf(stderr, "quintet: %s\n", to_string(saved.error()).c_str());
  auto executor = std::make_unique<CudaExecutor>(plan, std::move(kernels), observer, memory_);
  upload_starting_values(*executor, spec);
  return executor;
}

Result<void> CudaBackend::save_plans() const {
  if (plans_file_.empty()) return {};
  return store_.save(plans_file_);
}

}  // namespace quintet
