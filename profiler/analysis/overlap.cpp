#include "profiler/analysis/overlap.h"

namespace quintet {

std::optional<double> pair_overlap(const IntervalSet& a, const IntervalSet& b) {
  const std::int64_t smaller = std::min(a.length(), b.length());
  if (smaller == 0) return std::nullopt;
  return static_cast<double>(common_length(a, b)) / static_cast<double>(smaller);
}

std::optional<double> hidden_share(const IntervalSet& part, const IntervalSet& cover) {
  const std::int64_t length = part.length();
  if (length == 0) return std::nullopt;
  return static_cast<double>(common_length(part, cover)) / static_cast<double>(length);
}

OverlapMatrix::OverlapMatrix(const std::vector<IntervalSet>& lanes)
    : size_(lanes.size()), values_(lanes.size() * lanes.size()) {
  for (std::size_t a = 0; a < size_; ++a) {
    for (std::size_t b = a; b < size_; ++b) {
      const std::optional<double> value = pair_overlap(lanes[a], lanes[b]);
      values_[a * size_ + b] = value;
      values_[b * size_ + a] = value;
    }
  }
}

}  // namespace quintet
