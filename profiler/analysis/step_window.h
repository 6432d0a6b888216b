/// The time that belongs to one step, and which steps may be timed.
///
/// A step's window reaches from the end of the step before it to its own end, so windows tile the
/// run and their mean length is what a step costs, whatever runs ahead. Everything that runs inside
/// a window counts for it, the prefetch of the next batch included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// The first steps of a recording fill caches and wait for the loader's first batches: never timed.
inline constexpr std::int64_t kWarmUpSteps = 2;

struct StepWindow {
  std::size_t index = 0;  ///< into Trace::steps
  std::int64_t step = 0;
  Interval time;
  bool timed = false;
  bool recorded = false;  ///< every span of the step was recorded
  std::vector<std::uint32_t> spans;  ///< that overlap the window (or begin in it), by begin, end,
                                     ///< lane, task; host lanes included
};

/// One window per step, in step order. `timed`: a training step of the full shape whose predecessor
/// is one too and is recorded, at least kWarmUpSteps after the recording's first step, and not
/// disturbed by the recorder.
std::vector<StepWindow> step_windows(const Trace& trace);

/// The shape variant of full training steps: the one with the largest batch; nothing without
/// training steps.
std::optional<std::string> full_shape(const Trace& trace);

/// Why no step could be timed: one clause for a metric's reason.
std::string untimed_reason(const Trace& trace);

/// Positions (into `windows`) of the timed windows, shortest first; ties by step.
std::vector<std::size_t> timed_by_length(const std::vector<StepWindow>& windows);

/// The position of the median timed window (the lower one of two); nothing where none is timed.
std::optional<std::size_t> median_window(const std::vector<StepWindow>& windows);

/// True where the span's task and lane exist and its lane is a stream.
bool on_stream(const Trace& trace, std::size_t span);

/// The span's interval.
Interval interval_of(const SpanColumns& spans, std::size_t span);

}  // namespace quintet
