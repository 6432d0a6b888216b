#include "profiler/analysis/occupancy.h"

#include <algorithm>

namespace quintet {

std::int64_t Occupancy::busy() const {
  std::int64_t time = 0;
  for (std::size_t n = covering > 0 ? 0 : 1; n < time_at.size(); ++n)
    time += time_at[n];
  return time;
}

std::int64_t Occupancy::total() const {
  std::int64_t time = 0;
  for (std::size_t n = 0; n < time_at.size(); ++n)
    time += static_cast<std::int64_t>(n + covering) * time_at[n];
  return time;
}

Occupancy occupancy_of(const std::vector<Interval>& spans, const Interval& window) {
  std::vector<std::int64_t> begins;
  std::vector<std::int64_t> ends;
  for (const Interval& span : spans) {
    const Interval part = intersect(span, window);
    if (part.empty()) continue;
    begins.push_back(part.begin);
    ends.push_back(part.end);
  }
  std::sort(begins.begin(), begins.end());
  std::sort(ends.begin(), ends.end());

  Occupancy occupancy;
  std::size_t active = 0;
  std::int64_t now = window.begin;
  const auto spend_until = [&](std::int64_t time) {
    if (time <= now) return;
    if (occupancy.time_at.size() <= active) occupancy.time_at.resize(active + 1);
    occupancy.time_at[active] += time - now;
    now = time;
  };
  // Ends before begins at equal times: intervals are half-open, so neighbours never overlap.
  std::size_t begun = 0;
  for (const std::int64_t end : ends) {
    while (begun < begins.size() && begins[begun] < end) {
      spend_until(begins[begun++]);
      ++active;
    }
    spend_until(end);
    --active;
  }
  spend_until(window.end);
  return occupancy;
}

}  // namespace quintet
