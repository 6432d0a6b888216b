/// Starting weights: a function of seed, layer and shape alone, the same on every executor.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/model/tensor.h"

namespace quintet {

/// The starting values of a tensor of role weight, statistics, or weight_copy (that of the weight it follows): W uniform in
/// [-b, b] with b = gain * sqrt(1 / fan_in), fan_in = all dimensions of W but the last; B the same with gain 1 and the fan_in of its
/// layer's W; gamma 1, beta 0, running means 0 and variances 1. Random values come from a counter-based generator keyed by
/// (seed, tensor name), so that no order of layers changes them.
std::vector<float> initial_values(const Tensor& tensor, const TensorTable& tensors, double gain,
                                  std::uint64_t seed);

/// A key that depends on every byte of the name and on the seed.
std::uint64_t key_of(std::string_view name, std::uint64_t seed);

}  // namespace quintet
