#include "runtime/network/weight_init.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <string_view>

namespace quintet {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): one well-mixed word per counter value.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

std::vector<float> uniform(const Tensor& tensor, double bound, std::uint64_t seed) {
  const std::uint64_t key = key_of(tensor.name, seed);
  std::vector<float> values(static_cast<std::size_t>(tensor.shape.elements()));
  for (std::size_t index = 0; index < values.size(); ++index) {
    const double unit = static_cast<double>(mixed(key + index) >> 11) * 0x1.0p-53;
    values[index] = static_cast<float>((2.0 * unit - 1.0) * bound);
  }
  return values;
}

/// Dimensions of W but the last, of the layer that a W or B belongs to: "conv1/B" has the fan-in of "conv1/W".
std::int64_t fan_in_of(const Tensor& tensor, const TensorTable& tensors) {
  const std::string weight = tensor.name.substr(0, tensor.name.rfind('/')) + "/W";
  for (const Tensor& other : tensors.all()) {
    if (other.role == TensorRole::weight && other.name == weight) {
      return other.shape.elements() / other.shape.dim(-1);
    }
  }
  assert(false && "a weight or bias without its layer's W");
  return 1;
}

}  // namespace

std::uint64_t key_of(std::string_view name, std::uint64_t seed) {
  std::uint64_t key = mixed(seed);
  for (const char c : name)
    key = mixed(key ^ static_cast<unsigned char>(c));
  return key;
}

std::vector<float> initial_values(const Tensor& tensor, const TensorTable& tensors, double gain,
                                  std::uint64_t seed) {
  if (tensor.starts_as) return initial_values(tensors[*tensor.starts_as], tensors, gain, seed);
  const std::string_view name = std::string_view(tensor.name).substr(tensor.name.rfind('/') + 1);
  const auto filled_with = [&tensor](float value) {
    return std::vector<float>(static_cast<std::size_t>(tensor.shape.elements()), value);
  };
  if (tensor.role == TensorRole::statistics) {
    std::vector<float> values = filled_with(0.0F);
    // Two rows: means, then variances (or shift, after scale).
    if (name == "running_stats")
      std::fill(values.begin() + tensor.shape.dim(1), values.end(), 1.0F);
    return values;
  }
  if (name == "gamma") return filled_with(1.0F);
  if (name == "beta") return filled_with(0.0F);
  const double bound = std::sqrt(1.0 / static_cast<double>(fan_in_of(tensor, tensors)));
  return uniform(tensor, name == "W" ? gain * bound : bound, seed);
}

}  // namespace quintet
