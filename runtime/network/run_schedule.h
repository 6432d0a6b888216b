/// The steps of a run in order: which batch, which shape, which buffer slot, training or
/// evaluation.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/execution_plan.h"

namespace quintet {

/// One step. Step k of the run uses slot A for even k, B for odd k.
struct ScheduledStep {
  StepVariant variant;
  std::int64_t epoch = 0;  ///< of training steps; evaluation steps carry the epoch they follow
  std::int64_t first_sample =
      0;  ///< position in the epoch's order (training) or the test set (evaluation)
  std::int64_t batch = 0;
  std::int64_t train_step = -1;  ///< counted over the run from 0; -1 for evaluation
};

using RunSchedule = std::vector<ScheduledStep>;

/// How long a run is.
struct RunLength {
  std::int64_t train_samples = 0;  ///< of one epoch
  std::int64_t test_samples = 0;   ///< 0 = no evaluation
  std::int64_t batch = 64;
  std::int64_t epochs = 1;
  std::int64_t max_train_steps = -1;  ///< stops training there; -1 = no limit
  /// The first two training batches stay where they are, one in each slot, and serve every step:
  /// what is left of a step when nothing is transferred. Every step then has a full batch, and
  /// nothing is evaluated.
  bool resident_input = false;
  std::int32_t micro_batches = 1;  ///< batches per update; the run's last update takes what is left
};

/// Batch of the epoch's last step; 0 where the batches come out even.
std::int64_t tail_batch(std::int64_t samples, std::int64_t batch);
/// Training steps of the run.
std::int64_t train_step_count(const RunLength& length);

/// Trains all epochs, then evaluates the whole test set once. `shapes` are the plan's; every batch
/// size must be among them (asserted).
RunSchedule make_schedule(const RunLength& length, const std::vector<ShapeVariant>& shapes);

/// A run as one sequence of variants: prologue, its steps, epilogue.
StepSequence sequence_of(const RunSchedule& schedule);

}  // namespace quintet
