/// A machine with an NVIDIA GPU: kernels of cuDNN, cuBLASLt and our own, five CUDA streams.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "runtime/cuda/kernel_planner.h"
#include "runtime/cuda/plan_store.h"
#include "runtime/exec/backend.h"
#include "runtime/exec/device_arena.h"

namespace quintet {

/// Owns the pinned plans and the planner. Throws CudaError.
class CudaBackend final : public Backend {
 public:
  /// On the first device. Errors: no driver, no device, a stored plan that is no plan. `plans` is
  /// the file of pinned plans; empty = keep none on disk. `memory`: what its executors' memory is
  /// like.
  static Result<std::unique_ptr<CudaBackend>> open(PlanSearch search, std::filesystem::path plans,
                                                   ArenaMode memory = ArenaMode::one_allocation);

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  /// Guarded memory: none, so that the plan orders tasks by the bytes that they really touch.
  [[nodiscard]] FeatureSharing sharing() const override;
  Result<std::uint64_t> workspace_bytes(const Task& task, const TensorTable& tensors) override;
  /// Keeps the pinned plans too; that they cannot be written is told and stops nothing.
  std::unique_ptr<Executor> make_executor(const ExecutionPlan& plan, const TrainingSpec& spec,
                                          StepIo& io, Observer* observer) override;
  /// Of executors made from now on.
  void set_delays(LayerDelays delays) override { delays_ = std::move(delays); }
  /// Writes the pinned plans to their file. Errors: PlanStore::save's.
  [[nodiscard]] Result<void> save_plans() const;
  [[nodiscard]] const PlanStore& plans() const { return store_; }

 private:
  CudaBackend(PlanSearch search, std::filesystem::path plans, ArenaMode memory)
      : store_(search), plans_file_(std::move(plans)), memory_(memory) {}

  PlanStore store_;
  std::filesystem::path plans_file_;
  ArenaMode memory_;
  LayerDelays delays_;
  std::unique_ptr<KernelPlanner> planner_;
};

}  // namespace quintet
