/// The steps of a recording along its time: which is where, which are shown, and which were not
/// recorded, so that nobody takes those for idle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/trace/trace.h"

namespace quintet::viewer {

/// A step on the axis.
struct StepMark {
  std::int64_t step = 0;
  Interval time;          ///< its own time, as of time_of_step()
  std::size_t index = 0;  ///< into Trace::steps
};

/// Steps in a row of whose work not everything is in the recording.
struct UnrecordedStretch {
  Interval time;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::string reason;
};

/// Owns: one mark per step. Threads: readable from many. Usage: `StepAxis axis(*trace);`
class StepAxis {
 public:
  StepAxis() = default;
  explicit StepAxis(const Trace& trace);

  /// By begin.
  [[nodiscard]] const std::vector<StepMark>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<UnrecordedStretch>& unrecorded() const { return unrecorded_; }
  /// The last step whose own time begins at or before a time.
  [[nodiscard]] std::optional<std::int64_t> step_at(std::int64_t time_ns) const;
  /// The step whose window a time is in, which reaches from the end of the step before to its own.
  [[nodiscard]] std::optional<std::int64_t> window_at(std::int64_t time_ns) const;
  [[nodiscard]] const StepMark* find(std::int64_t step) const;
  /// Positions [first, last) of the steps that may touch a range.
  struct Slice {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  [[nodiscard]] Slice within(const Interval& range) const;

 private:
  std::vector<StepMark> steps_;
  bool numbered_in_order_ = true;
  std::vector<UnrecordedStretch> unrecorded_;
};

/// A step's own time in ns: from the end of the steps before it where it was launched ahead of that,
/// else from its begin, to its end.
Interval time_of_step(const Trace& trace, const TraceStep& step);

/// By how much side B's times are drawn later so that the begins of the same step meet: that of
/// `step` where both have it, else of the step at the same place or of B's middle one where B is
/// shorter, else of their first steps, else of their first spans.
std::int64_t shift_of_b(const Trace& a, const StepAxis& axis_a, const Trace& b,
                        const StepAxis& axis_b, std::optional<std::int64_t> step);

}  // namespace quintet::viewer
