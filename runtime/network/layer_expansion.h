/// Turns layers into ops with their tensors: forward and backward of a training shape, forward of an evaluation shape.
#pragma once

#include <vector>

#include "runtime/network/parameters.h"
#include "runtime/network/step_scalars.h"

namespace quintet {

/// What every shape shares.
struct NetworkParts {
  const NetworkDefinition& network;
  const TrainingSetup& setup;
  const std::vector<LayerParameters>& parameters;
  const StepScalars& scalars;
  std::size_t first = 0;  ///< the first layer with weights
};

/// The device batch of one shape, A and B.
struct BatchTensors {
  std::array<TensorId, 2> images{};
  std::array<TensorId, 2> labels{};
};

/// FIRST_LAYER_FWD_A/B, DEEP_FWD_BWD, FIRST_LAYER_BWD_A/B, METRICS_A/B of one training shape.
void add_training_ops(GraphWriter& writer, const NetworkParts& parts, const ShapeVariant& shape,
                      const BatchTensors& batch);

/// INF_MAIN_A/B of one evaluation shape.
void add_inference_ops(GraphWriter& writer, const NetworkParts& parts, const ShapeVariant& shape,
                       const BatchTensors& batch);

}  // namespace quintet
