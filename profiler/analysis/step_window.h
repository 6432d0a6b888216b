/// The time that belongs to one step, and which steps may be timed.
///
/// A step's window reaches from the end of the step before it to its own end, so windows tile the
/// run and their mean length is what a step costs, whatever runs ahead. Everything that runs inside
/// a window counts for it, the prefetch of the next batch included.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/analysis/threshold_index.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// The first steps of a recording fill caches and wait for the loader's first batches: never timed.
inline constexpr std::int64_t kWarmUpSteps = 2;

/// How much of the work of a step a recording holds.
enum class WorkRecord : std::uint8_t {
  nodes,        ///< what ran, one by one
  graphs_only,  ///< whole launches of graphs, at least in part: nothing is known inside them
  missing,      ///< nothing of what was launched: a step between sampled ones, or one whose spans
                ///< an abandoned recording lost
};

/// Why times of work are unknown, as a clause; empty for `nodes`.
std::string reason_of(WorkRecord record);

/// The spans that begin before windows and end behind them, each once however many it covers.
/// Written into every window they would be as many as windows times spans.
class CoveringSpans {
 public:
  struct Cover {
    std::uint32_t span = 0;
    std::size_t first = 0;  ///< position of the first window that it covers
    std::size_t last = 0;   ///< of the last one; empty windows in between hold nothing
  };
  /// `covers` by `first`; `joined`: some belong to tasks whose runs are several spans.
  CoveringSpans(std::vector<Cover> covers, bool joined);
  [[nodiscard]] bool joined() const { return joined_; }
  [[nodiscard]] const std::vector<Cover>& covers() const { return covers_; }
  /// The spans that cover a window, in the order of spans. Time: O(log spans) for each.
  [[nodiscard]] std::vector<std::uint32_t> over(std::size_t window) const;

 private:
  std::vector<Cover> covers_;
  ThresholdIndex lasts_;
  bool joined_;
};

struct StepWindow {
  std::size_t index = 0;  ///< into Trace::steps
  std::int64_t step = 0;
  Interval time;
  bool timed = false;
  WorkRecord record = WorkRecord::nodes;
  /// That begin or end in the window, by begin, end, lane, task; host lanes included. Those that
  /// cover it from outside to outside are kept beside: see touching().
  std::vector<std::uint32_t> spans;
  std::size_t position = 0;                       ///< among the windows
  std::shared_ptr<const CoveringSpans> covering;  ///< of all windows; null where there is none

  /// True where some span covers it from outside to outside.
  [[nodiscard]] bool covered() const {
    return covering != nullptr && !time.empty() && !covering->over(position).empty();
  }
  /// Every span that overlaps the window or begins in it, in the order of `spans`. For all windows
  /// of a trace this may be windows times spans: ask it of a few, and use
  /// sum_over_covering for all.
  [[nodiscard]] std::vector<std::uint32_t> touching(const SpanColumns& columns) const;
};

/// One window per step, in step order. `timed`: a training step of the full shape whose predecessor
/// is one too and is recorded, at least kWarmUpSteps after the recording's first step, and not
/// disturbed by the recorder.
///
/// Imported traces name their steps by ranges of a host thread, behind which devices lag: there a
/// step ends when the last work that it launched on a stream has ended. Where the rule leaves no
/// step of an imported trace, all of its steps are timed: see window_basis. Of an import that was cut
/// off none is.
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

/// Per window the sum of `value` over the spans that cover it, in time O(spans + windows).
template <class Sum, class Value>
std::vector<Sum> sum_over_covering(const std::vector<StepWindow>& windows, Value value) {
  std::vector<Sum> sums(windows.size() + 1);
  if (windows.empty() || windows.front().covering == nullptr) {
    sums.pop_back();
    return sums;
  }
  for (const CoveringSpans::Cover& cover : windows.front().covering->covers()) {
    const Sum each = value(cover.span);
    sums[cover.first] += each;
    sums[cover.last + 1] -= each;
  }
  for (std::size_t window = 1; window < sums.size(); ++window)
    sums[window] += sums[window - 1];
  sums.pop_back();
  for (std::size_t window = 0; window < windows.size(); ++window) {
    if (windows[window].time.empty()) sums[window] = Sum();
  }
  return sums;
}

/// Per window: true where a span that touches it satisfies `wanted`.
template <class Wanted>
std::vector<bool> windows_with(const std::vector<StepWindow>& windows, Wanted wanted) {
  const auto covering = sum_over_covering<std::int64_t>(
      windows, [&wanted](std::uint32_t span) { return std::int64_t{wanted(span) ? 1 : 0}; });
  std::vector<bool> found(windows.size());
  for (std::size_t window = 0; window < windows.size(); ++window) {
    const std::vector<std::uint32_t>& spans = windows[window].spans;
    found[window] = covering[window] > 0 || std::any_of(spans.begin(), spans.end(), wanted);
  }
  return found;
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
