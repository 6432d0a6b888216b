/// Maps the times of another clock to the trace's, through moments at which both were read.
///
/// Between two pairs the map is linear, before the first and behind the last one the difference of
/// the clocks stays what it was there.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

class ClockMap {
 public:
  ClockMap() = default;
  /// `offset_ns`: what the other clock is ahead of the trace's, as long as no pair is known.
  explicit ClockMap(std::int64_t offset_ns) : offset_ns_(offset_ns) {}
  /// The pairs of one clock of a trace.
  ClockMap(const std::vector<TraceClockPair>& pairs, std::uint16_t clock);

  /// A further pair. One that is not later than the last, by the other clock, is not taken (false):
  /// the clock was set back, and its times are ambiguous.
  bool add(const TraceClockPair& pair);
  /// The trace's time of a time of the other clock.
  [[nodiscard]] std::int64_t trace_ns(std::int64_t clock_ns) const;

  [[nodiscard]] const std::vector<TraceClockPair>& pairs() const { return pairs_; }
  /// How far the clocks moved against each other from the first pair to the last; 0 with fewer than
  /// two.
  [[nodiscard]] std::int64_t drift_ns() const;
  /// The same at worst, between the first pair and any other, without its sign.
  [[nodiscard]] std::int64_t most_drift_ns() const;

 private:
  std::int64_t offset_ns_ = 0;
  std::vector<TraceClockPair> pairs_;  ///< strictly later and later by the other clock
};

/// The clock of a lane: an index into Trace::clocks.
std::uint16_t clock_of_lane(const Trace& trace, std::uint16_t lane);

}  // namespace quintet
