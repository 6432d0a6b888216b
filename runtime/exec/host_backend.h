/// The machine without a GPU: kernels of oneDNN and our own, five host streams.
#pragma once

#include <memory>

#include "runtime/exec/backend.h"
#include "runtime/exec/host_executor.h"
#include "runtime/network/training_spec.h"

namespace quintet {

/// An executor of `plan` (which must outlive it) with a kernel for every task, the spec's starting
/// weights and learning rates.
std::unique_ptr<HostExecutor> make_host_executor(const ExecutionPlan& plan,
                                                 const TrainingSpec& spec, StepIo& io,
                                                 Observer* observer, TaskHook before_task = {},
                                                 const LayerDelays& delays = {});

class HostBackend final : public Backend {
 public:
  /// `before_task`: for tests, handed to every executor.
  explicit HostBackend(TaskHook before_task = {}) : before_task_(std::move(before_task)) {}

  [[nodiscard]] std::string_view name() const override { return "host"; }
  Result<std::uint64_t> workspace_bytes(const Task& task, const TensorTable& tensors) override;
  void set_delays(LayerDelays delays) override { delays_ = std::move(delays); }
  std::unique_ptr<Executor> make_executor(const ExecutionPlan& plan, const TrainingSpec& spec,
                                          StepIo& io, Observer* observer) override {
    return make_host_executor(plan, spec, io, observer, before_task_, delays_);
  }

 private:
  TaskHook before_task_;
  LayerDelays delays_;
};

}  // namespace quintet
