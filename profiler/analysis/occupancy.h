/// How many spans are active at once: the concurrency histogram t(n).
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/analysis/interval_set.h"

namespace quintet {

/// time_at[n] = ns of the window with exactly n spans active beside those that cover all of it. The
/// sum over n is the window's length; without covering spans time_at[0] is idle time.
struct Occupancy {
  std::vector<std::int64_t> time_at;
  std::size_t covering = 0;  ///< spans that are active all the time

  /// How many levels of concurrency are told: 0 to the most spans active at once.
  [[nodiscard]] std::size_t levels() const {
    return time_at.empty() ? 0 : covering + time_at.size();
  }
  /// Time with exactly `n` spans active, the covering ones among them.
  [[nodiscard]] std::int64_t time_with(std::size_t n) const {
    return n < covering || n - covering >= time_at.size() ? 0 : time_at[n - covering];
  }

  /// U(all): time with at least one span active.
  [[nodiscard]] std::int64_t busy() const;
  /// Sum of the durations within the window: sum of n * t(n).
  [[nodiscard]] std::int64_t total() const;
};

/// Sweeps `spans` (any order, clipped to `window`); spans without length count nothing.
Occupancy occupancy_of(const std::vector<Interval>& spans, const Interval& window);

}  // namespace quintet
