/// What is to be trained, from network to learning rates.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/model/lowering.h"
#include "runtime/network/run_schedule.h"
#include "runtime/network/training_graph.h"

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

}  // namespace quintet
