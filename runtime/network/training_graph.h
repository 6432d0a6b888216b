/// From a network to the ops of every sub-graph of a step, in every shape of the run: what is computed, before any stream.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/model/execution_plan.h"
#include "runtime/model/graph_atlas.h"
#include "runtime/model/result.h"
#include "runtime/network/evaluation_weights.h"
#include "runtime/network/layer_ops.h"
#include "runtime/network/network_definition.h"
#include "runtime/network/optimizer.h"

namespace quintet {

/// What a run asks of the training graph. A batch of 0 = the run has no such shape.
struct TrainingSetup {
  std::int64_t train_batch = 64;
  std::int64_t train_tail = 0;  ///< the epoch's last, smaller batch
  std::int64_t eval_batch = 0;
  std::int64_t eval_tail = 0;
  std::int64_t train_steps = 1;  ///< length of the learning-rate table
  Precision precision = Precision::fp32;
  OptimizerHyper optimizer;
  LossHyper loss;
  std::optional<EmaHyper> ema;  ///< keeps moving averages of all weights
  EvaluationWeights evaluate = EvaluationWeights::trained;
  std::int32_t micro_batches = 1;  ///< batches whose gradients are added up before an update
  std::uint64_t seed = 1;          ///< of dropout
};

/// Tensors without places, ops without streams. Program order is the order of `ops`.
struct TrainingGraph {
  TensorTable tensors;
  std::vector<ShapeVariant> shapes;
  std::vector<Op> ops;
  GraphAtlas
      atlas;  ///< the same ops by sub-graph and shape; sub-graphs of the article without work here are empty
};

/// The shape of a run's variants, by name: "train", "train_tail", "eval", "eval_tail"; nothing where the run has none.
std::optional<ShapeId> shape_named(const std::vector<ShapeVariant>& shapes, std::string_view name);

/// Builds every sub-graph. Errors name the layer: an impossible shape, an op that is not implemented, no layer with weights, a
/// layer other than flatten before the first one with weights, an output that nothing reads.
Result<TrainingGraph> build_training_graph(const NetworkDefinition& network,
                                           const TrainingSetup& setup);

}  // namespace quintet
