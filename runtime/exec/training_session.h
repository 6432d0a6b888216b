/// One training run, from what is to be trained to its losses and weights: plans, then runs on the
/// executor of a backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/exec/backend.h"
#include "runtime/exec/step_io.h"
#include "runtime/exec/step_runner.h"
#include "runtime/model/result.h"
#include "runtime/network/run_schedule.h"
#include "runtime/network/training_spec.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

struct TrainingResult {
  std::int64_t steps = 0;               ///< finished, training and evaluation
  std::vector<double> losses;           ///< of each training step, mean over its batch
  std::optional<double> test_loss;      ///< mean over the test set; nothing = not evaluated
  std::optional<double> test_accuracy;  ///< 0 to 1
  std::string weights_hash;             ///< hash_of_weights
};

/// Owns plan, schedule and data; each run() starts from the same weights. Threads: one caller.
/// Usage: auto session = TrainingSession::prepare(spec, data, policy); (*session)->run(observer,
/// {});
class TrainingSession {
 public:
  /// Errors: those of the network, the policy and the op catalog; gradients in place for a backend
  /// whose tensors share no bytes.
  static Result<std::unique_ptr<TrainingSession>> prepare(TrainingSpec spec,
                                                          std::shared_ptr<const DatasetPair> data,
                                                          const StreamPolicy& policy,
                                                          std::shared_ptr<Backend> backend);

  [[nodiscard]] const ExecutionPlan& plan() const { return plan_; }
  [[nodiscard]] const RunSchedule& schedule() const { return schedule_; }
  [[nodiscard]] const TrainingSpec& spec() const { return spec_; }

  /// The backend's executor of the session's own plan.
  std::unique_ptr<Executor> make_executor(StepIo& io, Observer* observer) const {
    return backend_->make_executor(plan_, spec_, io, observer);
  }
  [[nodiscard]] StepIo make_io() const;

  /// Runs the whole schedule (or until `finished` says stop). Throws what a task threw.
  TrainingResult run(Observer* observer, const StepCallback& finished);

  /// Everything that training leaves behind (weights and their copies, optimizer state, running statistics) as bytes, in the order of
  /// the tensors.
  [[nodiscard]] std::vector<std::byte> weights(const Executor& executor) const;
  /// The result of a run whose steps `io` has collected.
  [[nodiscard]] TrainingResult result(const StepIo& io, const Executor& executor,
                                      std::int64_t finished_steps) const;

 private:
  TrainingSession(TrainingSpec spec, std::shared_ptr<const DatasetPair> data,
                  std::shared_ptr<Backend> backend)
      : spec_(std::move(spec)), data_(std::move(data)), backend_(std::move(backend)) {}

  TrainingSpec spec_;
  std::shared_ptr<const DatasetPair> data_;
  std::shared_ptr<Backend> backend_;
  ExecutionPlan plan_;
  RunSchedule schedule_;
};

/// What training leaves behind: weights and their copies, optimizer state, running statistics.
std::vector<TensorId> learned_tensors(const ExecutionPlan& plan);

/// 64-bit FNV-1a of the bytes, as 16 hexadecimal digits.
std::string hash_of_weights(std::span<const std::byte> weights);

}  // namespace quintet
