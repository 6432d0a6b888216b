#include "profiler/analysis/distribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace quintet {

double quantile(const std::vector<double>& sorted, double p) {
  assert(!sorted.empty());
  const double position = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = position - static_cast<double>(below);
  return sorted[below] + part * (sorted[above] - sorted[below]);
}

Distribution distribution_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), quantile(values, 0.05), quantile(values, 0.95), values.size()};
}

}  // namespace quintet
