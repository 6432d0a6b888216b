#include "profiler/compare/false_discovery.h"

#include <algorithm>
#include <numeric>

namespace quintet {

std::vector<double> adjusted_p_values(const std::vector<double>& p_values) {
  const std::size_t count = p_values.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&p_values](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(count);
  double least = 1;
  for (std::size_t rank = count; rank > 0; --rank) {
    const std::size_t test = order[rank - 1];
    least =
        std::min(least, p_values[test] * static_cast<double>(count) / static_cast<double>(rank));
    adjusted[test] = least;
  }
  return adjusted;
}

}  // namespace quintet
