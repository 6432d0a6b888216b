/// Where a plan is to run: who says what its kernels need, and makes its executor.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/exec/executor.h"
#include "runtime/exec/step_io.h"
#include "runtime/model/layer_delays.h"
#include "runtime/model/memory_plan.h"
#include "runtime/model/result.h"
#include "runtime/observe/observer.h"

namespace quintet {

struct TrainingSpec;

/// Threads: one caller. Usage: backend.workspace_bytes(task, tensors) for every task, then the
/// plan, then backend.make_executor(plan, ...).
class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// How tensors of a plan for it may lie; `none`: gradients must be separate too.
  [[nodiscard]] virtual FeatureSharing sharing() const { return FeatureSharing::by_lifetime; }
  /// Scratch that the task's kernel wants on its stream. Errors: no kernel for its kind; a library
  /// that has no implementation to our terms.
  virtual Result<std::uint64_t> workspace_bytes(const Task& task, const TensorTable& tensors) = 0;
  /// Layers whose tasks take longer than they need, in executors made from now on.
  virtual void set_delays(LayerDelays delays) = 0;
  /// An executor of `plan`, its memory as training starts. Throws what the device throws.
  virtual std::unique_ptr<Executor> make_executor(const ExecutionPlan& plan,
                                                  const TrainingSpec& spec, StepIo& io,
                                                  Observer* observer) = 0;
};

}  // namespace quintet
