/// The time that belongs to one step, and which steps may be timed.
///
/// A step's window reaches from the end of the step before it to its own end, so windows tile the
/// run and their mean length is what a step costs, whatever runs ahead. Everything that runs inside
/// a window counts for it, the prefetch of the next batch included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// The first steps of a recording fill caches and wait for the loader's first batches: never timed.
inline constexpr std::int64_t kWarmUpSteps = 2;

/// How much of the work of a step a recording holds.
enum class WorkRecord : std::uint8_t {
  nodes,        ///< what ran, one by one
  graphs_only,  ///< whole launches of graphs, at least in part: nothing is known inside them
  missing,      ///< nothing of what was launched: a step between sampled ones
};

/// Why times of work are unknown, as a clause; empty for `nodes`.
std::string reason_of(WorkRecord record);

struct StepWindow {
  std::size_t index = 0;  ///< into Trace::steps
  std::int64_t step = 0;
  Interval time;
  bool timed = false;
  WorkRecord record = WorkRecord::nodes;
  std::vector<std::uint32_t> spans;  ///< that overlap the window (or begin in it), by begin, end,
                                     ///< lane, task; host lanes included
};

/// One window per step, in step order. `timed`: a training step of the full shape whose predecessor
/// is one too and is recorded, at least kWarmUpSteps after the recording's first step, and not
/// disturbed by the recorder.
///
/// Imported traces name their steps by ranges of a host thread, behind which devices lag: there a
/// step ends when the last work that it launched on a stream has ended. Where the rule leaves no
/// step of an imported trace, all of its steps are timed: see window_basis.
std::vector<StepWindow> step_windows(const Trace& trace);

/// What timed windows are.
enum class WindowBasis : std::uint8_t {
  steady_steps,  ///< steps after the warm-up
  all_steps,     ///< of an imported trace too short for more: warm-up included
  whole_range,   ///< of an imported trace without steps: all of it, as if it were one
};

constexpr std::string_view name_of(WindowBasis basis) {
  switch (basis) {
    case WindowBasis::steady_steps:
      return "steady_steps";
    case WindowBasis::all_steps:
      return "all_steps";
    case WindowBasis::whole_range:
      return "whole_range";
  }
  return {};
}

WindowBasis window_basis(const Trace& trace, const std::vector<StepWindow>& windows);

/// The shape variant of full training steps: the one with the largest batch; nothing without
/// training steps.
std::optional<std::string> full_shape(const Trace& trace);

/// Why no step could be timed: one clause for a metric's reason.
std::string untimed_reason(const Trace& trace);

/// Positions (into `windows`) of the timed windows, shortest first; ties by step.
std::vector<std::size_t> timed_by_length(const std::vector<StepWindow>& windows);

/// The position of the median timed window (the lower one of two); nothing where none is timed.
std::optional<std::size_t> median_window(const std::vector<StepWindow>& windows);

/// True where the span is work (profiler/analysis/device_work.h), its task and lane exist and its
/// lane is a stream.
bool on_stream(const Trace& trace, std::size_t span);

/// The span's interval.
Interval interval_of(const SpanColumns& spans, std::size_t span);

}  // namespace quintet
