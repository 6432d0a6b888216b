#include "profiler/analysis/threshold_index.h"

#include <algorithm>
#include <limits>

namespace quintet {

ThresholdIndex::ThresholdIndex(const std::vector<std::int64_t>& values) : count_(values.size()) {
  while (leaves_ < values.size())
    leaves_ *= 2;
  most_.assign(2 * leaves_, std::numeric_limits<std::int64_t>::min());
  std::copy(values.begin(), values.end(), most_.begin() + static_cast<std::ptrdiff_t>(leaves_));
  for (std::size_t node = leaves_; node-- > 1;)
    most_[node] = std::max(most_[2 * node], most_[2 * node + 1]);
}

std::optional<std::size_t> ThresholdIndex::last(std::size_t end, std::int64_t least) const {
  // Up from the border through the subtrees to its left, then down in the first that reaches.
  end = std::min(end, count_);
  std::size_t node = leaves_ + end;
  if (end == leaves_) {
    node = 1;
    if (most_[node] < least) return std::nullopt;
  } else {
    while (node > 1 && (node % 2 == 0 || most_[node - 1] < least))
      node /= 2;
    if (node <= 1) return std::nullopt;
    --node;
  }
  while (node < leaves_)
    node = most_[2 * node + 1] >= least ? 2 * node + 1 : 2 * node;
  return node - leaves_;
}

std::optional<std::size_t> ThresholdIndex::first(std::size_t begin, std::size_t end,
                                                 std::int64_t least) const {
  end = std::min(end, count_);
  if (begin >= end) return std::nullopt;
  std::size_t node = leaves_ + begin;
  while (most_[node] < least) {
    while (node % 2 == 1)  // a right child: what lies behind it lies behind its parent
      node /= 2;
    if (node == 0) return std::nullopt;
    ++node;
  }
  while (node < leaves_)
    node = most_[2 * node] >= least ? 2 * node : 2 * node + 1;
  const std::size_t found = node - leaves_;
  return found < end ? std::optional(found) : std::nullopt;
}

}  // namespace quintet
