/// Small training sessions on generated images: seconds for hundreds of them.
#pragma once

#include <memory>
#include <string>

#include "runtime/exec/host_backend.h"
#include "runtime/exec/training_session.h"

namespace quintet::test {

/// A short run with a tail: `train_samples` is no multiple of the batch.
struct TinyRun {
  std::string network = "lenet5";
  std::int64_t batch = 8;
  std::int64_t train_samples = 100;
  std::int64_t test_samples = 20;
  std::int64_t train_steps = 50;
  std::uint64_t seed = 7;
  Precision precision = Precision::fp32;
  OptimizerHyper optimizer = SgdHyper{};
  LossHyper loss;
  std::optional<EmaHyper> ema;
  EvaluationWeights evaluate = EvaluationWeights::trained;
  std::int32_t micro_batches = 1;
  Lowering lowering = Lowering::article;
  float learning_rate = 0.02F;
  bool resident_input = false;
};

/// A built-in policy with its knobs turned.
StreamPolicy policy_with(const std::string& name, SyncRule sync, GradientMode gradients,
                         StepMode step);

/// Prepares the run. Errors: those of TrainingSession::prepare.
Result<std::unique_ptr<TrainingSession>> try_prepare_tiny(const TinyRun& run,
                                                          const StreamPolicy& policy,
                                                          std::shared_ptr<Backend> backend);

/// Prepares the run; fails the program with the error's text where it cannot.
std::unique_ptr<TrainingSession> prepare_tiny(
    const TinyRun& run, const StreamPolicy& policy,
    std::shared_ptr<Backend> backend = std::make_shared<HostBackend>());

/// What must be equal to the bit between two runs.
struct Bits {
  std::vector<double> losses;
  std::vector<std::byte> weights;
  friend bool operator==(const Bits&, const Bits&) = default;
};

/// Runs the session's schedule on the host's five streams.
Bits run_on_streams(TrainingSession& session, TaskHook before_task = {});

/// Runs the session's schedule on an executor of its own backend.
Bits run_on_backend(const TrainingSession& session);

}  // namespace quintet::test
