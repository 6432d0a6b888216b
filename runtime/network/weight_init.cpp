#include "runtime/network/weight_init.h"

#include <cassert>
#include <cmath>
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

std::uint64_t key_of(std::string_view name, std::uint64_t seed) {
  std::uint64_t key = mixed(seed);
  for (const char c : name)
    key = mixed(key ^ static_cast<unsigned char>(c));
  return key;
}

}  // namespace

std::vector<float> initial_weights(const Tensor& tensor, std::int64_t fan_in, std::uint64_t seed) {
  const std::uint64_t key = key_of(tensor.name, seed);
  const double bound = std::sqrt(1.0 / static_cast<double>(fan_in));
  std::vector<float> values(static_cast<std::size_t>(tensor.shape.elements()));
  for (std::size_t index = 0; index < values.size(); ++index) {
    const double unit = static_cast<double>(mixed(key + index) >> 11) * 0x1.0p-53;
    values[index] = static_cast<float>((2.0 * unit - 1.0) * bound);
  }
  return values;
}

std::int64_t fan_in_of(const Tensor& tensor, const TensorTable& tensors) {
  const std::string weight = tensor.name.substr(0, tensor.name.rfind('/')) + "/W";
  for (const Tensor& other : tensors.all()) {
    if (other.role == TensorRole::weight && other.name == weight) {
      return other.shape.elements() / other.shape.dim(-1);
    }
  }
  assert(false && "a weight tensor without its layer's W");
  return 1;
}

}  // namespace quintet
