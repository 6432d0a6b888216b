/// One training run, from what is to be trained to its losses and weights: plans, then runs on the
/// host executor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/exec/host_executor.h"
#include "runtime/exec/run_schedule.h"
#include "runtime/exec/step_io.h"
#include "runtime/exec/step_runner.h"
#include "runtime/model/result.h"
#include "runtime/network/training_graph.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

/// What is to be trained; the policy comes beside it and never changes the numbers.
struct TrainingSpec {
  NetworkDefinition network;
  Precision precision = Precision::fp32;
  OptimizerHyper optimizer;
  LossHyper loss;
  std::optional<EmaHyper> ema;
  EvaluationWeights evaluate = EvaluationWeights::trained;
  std::int32_t micro_batches = 1;
  Lowering lowering = Lowering::article;
  RunLength length;
  std::vector<float> learning_rates;  ///< one per training step (micro-batch)
  std::uint64_t seed = 1;             ///< of weights, order of the data and dropout
};

struct TrainingResult {
  std::int64_t steps = 0;               ///< finished, training and evaluation
  std::vector<double> losses;           ///< of each training step, mean over its batch
  std::optional<double> test_loss;      ///< mean over the test set; nothing = not evaluated
  std::optional<double> test_accuracy;  ///< 0 to 1
  std::string weights_hash;             ///< hash_of_weights
};

/// An executor of `plan` (which must outlive it) with a kernel for every task, the spec's starting
/// weights and learning rates.
std::unique_ptr<HostExecutor> make_host_executor(const ExecutionPlan& plan,
                                                 const TrainingSpec& spec, StepIo& io,
                                                 Observer* observer, TaskHook before_task = {});

/// Owns plan, schedule and data; each run() starts from the same weights. Threads: one caller.
/// Usage: auto session = TrainingSession::prepare(spec, data, policy); (*session)->run(observer,
/// {});
class TrainingSession {
 public:
  /// Errors: those of the network, the policy and the op catalog.
  static Result<std::unique_ptr<TrainingSession>> prepare(TrainingSpec spec,
                                                          std::shared_ptr<const DatasetPair> data,
                                                          const StreamPolicy& policy);

  [[nodiscard]] const ExecutionPlan& plan() const { return plan_; }
  [[nodiscard]] const RunSchedule& schedule() const { return schedule_; }
  [[nodiscard]] const TrainingSpec& spec() const { return spec_; }

  /// make_host_executor of the session's own plan.
  std::unique_ptr<HostExecutor> make_executor(StepIo& io, Observer* observer,
                                              TaskHook before_task = {}) const {
    return make_host_executor(plan_, spec_, io, observer, std::move(before_task));
  }
  [[nodiscard]] StepIo make_io() const;

  /// Runs the whole schedule (or until `finished` says stop). Throws what a task threw.
  TrainingResult run(Observer* observer, const StepCallback& finished, TaskHook before_task = {});

  /// Everything that training leaves behind (weights and their copies, optimizer state, running statistics) as bytes, in the order of
  /// the tensors.
  [[nodiscard]] std::vector<std::byte> weights(const HostExecutor& executor) const;
  /// The result of a run whose steps `io` has collected.
  [[nodiscard]] TrainingResult result(const StepIo& io, const HostExecutor& executor,
                                      std::int64_t finished_steps) const;

 private:
  TrainingSession(TrainingSpec spec, std::shared_ptr<const DatasetPair> data)
      : spec_(std::move(spec)), data_(std::move(data)) {}

  TrainingSpec spec_;
  std::shared_ptr<const DatasetPair> data_;
  ExecutionPlan plan_;
  RunSchedule schedule_;
};

/// 64-bit FNV-1a of the bytes, as 16 hexadecimal digits.
std::string hash_of_weights(std::span<const std::byte> weights);

}  // namespace quintet
