/// Device tasks of a scenario, each ready to be launched by itself: for benchmarks of single tasks.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/cuda/cuda_memory.h"
#include "runtime/cuda/kernel_planner.h"
#include "runtime/cuda/plan_store.h"
#include "runtime/exec/device_arena.h"
#include "runtime/exec/device_context.h"
#include "runtime/exec/training_session.h"
#include "runtime/model/result.h"
#include "runtime/network/scenario.h"

namespace quintet {

/// The value, or the error as an exception.
template <class T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}

/// The middle one; -1 of none.
double median_of(std::vector<double> values);

/// One task with its kernel bound to the plan's memory and to scratch of its own.
struct DeviceTask {
  TaskId id;
  std::string name;
  std::unique_ptr<CudaKernel> kernel;
  std::vector<BoundOperand> operands;
  CudaMemory workspace;
  std::size_t workspace_bytes = 0;
  [[nodiscard]] TaskArgs args() const {
    return TaskArgs(operands, {workspace.data(), workspace_bytes});
  }
};

/// Owns a session prepared under `serial` with gradients apart, and memory and streams of its own.
/// Throws where the scenario or the device does not do.
class DeviceTasks {
 public:
  /// `plans_file` is read and not written.
  DeviceTasks(const Scenario& scenario, const std::string& plans_file);

  [[nodiscard]] const ExecutionPlan& plan() const { return session_->plan(); }
  [[nodiscard]] const DeviceContext& context() const { return *context_; }
  /// Tasks of the graphs of full training steps, in program order.
  [[nodiscard]] std::vector<TaskId> of_training() const;
  DeviceTask make(TaskId task);

 private:
  std::unique_ptr<TrainingSession> session_;
  std::unique_ptr<PlanStore> store_;
  std::unique_ptr<KernelPlanner> planner_;
  std::unique_ptr<DeviceContext> context_;
  std::unique_ptr<DeviceArena> arena_;
};

}  // namespace quintet
