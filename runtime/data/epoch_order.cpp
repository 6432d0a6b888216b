#include "runtime/data/epoch_order.h"

#include <cassert>
#include <numeric>
#include <utility>

#include "runtime/data/random_bits.h"

namespace quintet {

std::vector<std::uint32_t> epoch_order(std::int64_t count, std::uint64_t seed, std::int64_t epoch) {
  assert(count >= 0 && count <= std::int64_t{UINT32_MAX});
  std::vector<std::uint32_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0U);
  RandomBits random(seed, static_cast<std::uint64_t>(epoch));
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[random.below(left)]);
  }
  return order;
}

}  // namespace quintet
