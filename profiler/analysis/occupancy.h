/// How many spans are active at once: the concurrency histogram t(n).
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/analysis/interval_set.h"

namespace quintet {

/// time_at[n] = ns of the window with exactly n spans active. The sum over n is the window's
/// length; time_at[0] is idle time.
struct Occupancy {
  std::vector<std::int64_t> time_at;

  /// U(all): time with at least one span active.
  [[nodiscard]] std::int64_t busy() const;
  /// Sum of the durations within the window: sum of n * t(n).
  [[nodiscard]] std::int64_t total() const;
};

/// Sweeps `spans` (any order, clipped to `window`); spans without length count nothing.
Occupancy occupancy_of(const std::vector<Interval>& spans, const Interval& window);

}  // namespace quintet
