/// Starting weights: a function of seed, layer and shape alone, the same on every executor.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/model/tensor.h"

namespace quintet {

/// Uniform in [-b, b] with b = sqrt(1 / fan_in) for weights and biases of `weight`'s layer (fan_in
/// = all dimensions of the weight but the last); `fan_in` is that of the layer. Values come from a
/// counter-based generator keyed by (seed, tensor name).
std::vector<float> initial_weights(const Tensor& tensor, std::int64_t fan_in, std::uint64_t seed);

/// Fan-in of the layer that a weight or bias tensor belongs to, found by its name ("conv1/B" has
/// the fan-in of "conv1/W").
std::int64_t fan_in_of(const Tensor& tensor, const TensorTable& tensors);

}  // namespace quintet
