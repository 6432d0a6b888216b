/// The weights of a network as tensors, with everything that is kept beside each.
#pragma once

#include <optional>
#include <vector>

#include "runtime/network/graph_writer.h"

namespace quintet {

/// One weight tensor. `gradient` is F32; in AMP, weights of convolutions and fully connected layers also have `half`, which forward
/// and backward read, and `half_gradient`, which backward writes.
struct Parameter {
  TensorId master;
  TensorId gradient;
  std::optional<TensorId> half;
  std::optional<TensorId> half_gradient;
  TensorId momentum;
  std::optional<TensorId> average;  ///< EMA

  /// What forward and backward read, and what backward writes.
  [[nodiscard]] TensorId used() const { return half.value_or(master); }
  [[nodiscard]] TensorId written() const { return half_gradient.value_or(gradient); }
  /// What evaluation reads.
  [[nodiscard]] TensorId evaluated(EvaluationWeights weights) const {
    return weights == EvaluationWeights::average ? average.value() : used();
  }
};

/// W and B (where it has one), or gamma and beta; statistics of BatchNorm only.
struct LayerParameters {
  std::vector<Parameter> tensors;
  std::optional<TensorId> batch_stats, running_stats, inference_params;
};

/// Adds the parameters of every layer, in layer order so that all regions of one family are laid out alike. `inputs` is the shape
/// of each layer's input; layer `first` goes to the FIRST_* regions.
std::vector<LayerParameters> add_parameters(GraphWriter& writer, const NetworkDefinition& network,
                                            const std::vector<Shape>& inputs, std::size_t first,
                                            const TrainingSetup& setup);

}  // namespace quintet
