/// Which named range of a host the work of a device belongs to: the one inside which it was
/// launched.
///
/// Ranges that nest on their thread (pushed and popped, calls of Python, ops) are found by the stack:
/// the innermost one, on the thread of the launching call, that holds the call. Ranges that were
/// started and ended by an id may overlap anyhow and belong to no thread: one of them counts where
/// no nested one holds the call and no second one does; else the work is ambiguous, which is told.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

struct RangeOptions {
  /// How far a call may reach out of a range and still be inside, if its middle is: clocks of
  /// profilers skew calls against ops by some hundred ns.
  std::int64_t tolerance_ns = 1000;
};

inline constexpr std::uint32_t kNoRange = 0xFFFFFFFF;
inline constexpr std::uint32_t kAmbiguousRange = 0xFFFFFFFE;

/// Per span of the trace: the span of the range that its work belongs to; kNoRange for what is no
/// work of a device, was launched outside every range, or by a call that was not recorded;
/// kAmbiguousRange.
std::vector<std::uint32_t> attribute_ranges(const Trace& trace, const RangeOptions& options = {});

/// The device's work of all ranges of one name.
struct RangeWork {
  std::uint32_t task = 0;    ///< the ranges' name: index into Trace::tasks
  std::int64_t ranges = 0;   ///< that launched work
  std::int64_t work = 0;     ///< kernels, copies and fills
  std::int64_t busy_ns = 0;  ///< union of the times of the work
};

/// What the ranges of a trace did on devices, the busiest first.
struct RangeSummary {
  std::vector<RangeWork> ranges;
  std::int64_t outside = 0;    ///< works that belong to no range, where no range has work, too
  std::int64_t ambiguous = 0;  ///< works that several started ranges claim
};

/// No ranges where no work of a device belongs to one. Works whose times the device could not tell
/// are not among these: a DeviceSummary counts them.
RangeSummary summarise_ranges(const Trace& trace, const RangeOptions& options = {});

}  // namespace quintet
