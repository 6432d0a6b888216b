#include "profiler/trace/span_history.h"

#include <algorithm>
#include <limits>

namespace quintet {

void SpanHistory::restart() {
  trace_ = std::make_shared<const int>(0);
  state_ = 0;
  oldest_ = 0;
  changes_.clear();
}

void SpanHistory::grow(std::size_t unchanged) {
  ++state_;
  // What a later change moved is no longer shared by the states before it either.
  while (!changes_.empty() && changes_.back().unchanged >= unchanged)
    changes_.pop_back();
  changes_.push_back({state_, unchanged});
  if (changes_.size() <= kMostChanges) return;
  oldest_ = changes_.front().state;
  changes_.erase(changes_.begin());
}

std::size_t SpanHistory::shared_with(const SpanHistory& earlier) const {
  if (trace_ == nullptr || trace_ != earlier.trace_ || earlier.state_ < oldest_) return 0;
  const auto first = std::partition_point(
      changes_.begin(), changes_.end(),
      [&earlier](const Change& change) { return change.state <= earlier.state_; });
  return first == changes_.end() ? std::numeric_limits<std::size_t>::max() : first->unchanged;
}

}  // namespace quintet
