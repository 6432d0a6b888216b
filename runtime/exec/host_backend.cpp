#include "runtime/exec/host_backend.h"

#include <cassert>

#include "runtime/exec/delayed_host_kernel.h"
#include "runtime/exec/starting_values.h"
#include "runtime/host/openmp_pin.h"
#include "runtime/ops/host_kernel_catalog.h"

namespace quintet {

std::unique_ptr<HostExecutor> make_host_executor(const ExecutionPlan& plan,
                                                 const TrainingSpec& spec, StepIo& io,
                                                 Observer* observer, TaskHook before_task,
                                                 const LayerDelays& delays) {
  pin_openmp_to_one_thread();
  std::vector<std::unique_ptr<HostKernel>> kernels;
  for (const Task& task : plan.tasks) {
    if (runs_on_host(task.graph)) {
      kernels.push_back(io.make_kernel(task, plan.tensors));
      continue;
    }
    Result<std::unique_ptr<HostKernel>> kernel = make_host_kernel(task, plan.tensors);
    assert(kernel && "workspace_bytes() made the same kernel");
    const auto delay = delays.find(task.layer);
    if (delay == delays.end()) {
      kernels.push_back(std::move(*kernel));
    } else {
      kernels.push_back(std::make_unique<DelayedHostKernel>(std::move(*kernel), delay->second));
    }
  }
  auto executor =
      std::make_unique<HostExecutor>(plan, std::move(kernels), observer, std::move(before_task));
  upload_starting_values(*executor, spec);
  return executor;
}

Result<std::uint64_t> HostBackend::workspace_bytes(const Task& task, const TensorTable& tensors) {
  pin_openmp_to_one_thread();
  const Result<std::unique_ptr<HostKernel>> kernel = make_host_kernel(task, tensors);
  if (!kernel) return tl::unexpected(kernel.error());
  return (*kernel)->workspace_bytes();
}

}  // namespace quintet
