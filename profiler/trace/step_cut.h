/// Cuts steps in a row out of what was measured.
#pragma once

#include <cstdint>

#include "profiler/trace/trace.h"

namespace quintet {

/// Steps in a row, by their numbers; both ends belong to it.
struct StepRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  [[nodiscard]] bool contains(std::int64_t step) const { return first <= step && step <= last; }
};

/// What becomes of the work of other steps that touches the time of those that stay.
enum class WorkBeside : std::uint8_t { keep, leave_out };

/// Removes all steps outside the range, and the spans, waits and launches that serve none of the
/// steps that stay. What serves no step at all stays where it touches their time. Untimed
/// activities stay if they serve them; of clock readings those next to the time stay too. The plan
/// and its numbers stay whole.
void cut_steps(Trace& trace, StepRange range, WorkBeside beside);

}  // namespace quintet
