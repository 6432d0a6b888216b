#include "profiler/trace/clock_map.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace quintet {

namespace {

std::int64_t offset_of(const TraceClockPair& pair) {
  return pair.clock_ns - pair.trace_ns;
}

}  // namespace

ClockMap::ClockMap(const std::vector<TraceClockPair>& pairs, std::uint16_t clock) {
  for (const TraceClockPair& pair : pairs) {
    if (pair.clock == clock) add(pair);
  }
}

bool ClockMap::add(const TraceClockPair& pair) {
  if (!pairs_.empty() && pair.clock_ns <= pairs_.back().clock_ns) return false;
  pairs_.push_back(pair);
  return true;
}

std::int64_t ClockMap::trace_ns(std::int64_t clock_ns) const {
  if (pairs_.empty()) return clock_ns - offset_ns_;
  if (clock_ns >= pairs_.back().clock_ns) return clock_ns - offset_of(pairs_.back());
  const auto after = std::upper_bound(
      pairs_.begin(), pairs_.end(), clock_ns,
      [](std::int64_t time, const TraceClockPair& pair) { return time < pair.clock_ns; });
  if (after == pairs_.begin()) return clock_ns - offset_of(*after);
  const TraceClockPair& before = *(after - 1);
  // A drift is small: a double has its ns to spare. The product of both in ns would not fit.
  const double part = static_cast<double>(clock_ns - before.clock_ns) /
                      static_cast<double>(after->clock_ns - before.clock_ns);
  const double moved = part * static_cast<double>(offset_of(*after) - offset_of(before));
  return clock_ns - offset_of(before) - std::llround(moved);
}

std::int64_t ClockMap::drift_ns() const {
  return pairs_.empty() ? 0 : offset_of(pairs_.back()) - offset_of(pairs_.front());
}

std::int64_t ClockMap::most_drift_ns() const {
  std::int64_t most = 0;
  for (const TraceClockPair& pair : pairs_)
    most = std::max(most, std::abs(offset_of(pair) - offset_of(pairs_.front())));
  return most;
}

std::uint16_t clock_of_lane(const Trace& trace, std::uint16_t lane) {
  const auto row = std::find_if(trace.lane_clocks.begin(), trace.lane_clocks.end(),
                                [lane](const TraceLaneClock& each) { return each.lane == lane; });
  return row == trace.lane_clocks.end() ? std::uint16_t{0} : row->clock;
}

}  // namespace quintet
