#include "profiler/analysis/step_window.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "profiler/analysis/device_work.h"
#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

constexpr const char* kTrain = "train";

/// Positions of the steps in step order.
std::vector<std::size_t> steps_in_order(const Trace& trace) {
  std::vector<std::size_t> order(trace.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&trace](std::size_t a, std::size_t b) {
    return trace.steps[a].step < trace.steps[b].step;
  });
  return order;
}

ThresholdIndex lasts_of(const std::vector<CoveringSpans::Cover>& covers) {
  std::vector<std::int64_t> lasts;
  lasts.reserve(covers.size());
  for (const CoveringSpans::Cover& cover : covers)
    lasts.push_back(static_cast<std::int64_t>(cover.last));
  return ThresholdIndex(lasts);
}

/// Gives each window the spans that touch it. Windows must not overlap and be in time order.
void hand_out_spans(const Trace& trace, std::vector<StepWindow>& windows) {
  const SpanColumns& spans = trace.spans;
  std::vector<std::uint32_t> order(spans.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto earlier = [&spans](std::uint32_t a, std::uint32_t b) {
    return span_key(spans, a) < span_key(spans, b);
  };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) {
    std::stable_sort(order.begin(), order.end(), earlier);
  }
  std::vector<CoveringSpans::Cover> covers;
  const auto hand = [](std::uint32_t span, StepWindow& window) {
    if (!window.time.empty()) window.spans.push_back(span);
  };
  for (const std::uint32_t span : order) {
    const Interval interval = interval_of(spans, span);
    const auto first = std::partition_point(
        windows.begin(), windows.end(),
        [&interval](const StepWindow& each) { return each.time.end <= interval.begin; });
    if (first == windows.end()) continue;
    // A span without length still lies in the window that its instant falls into.
    if (interval.empty()) {
      if (first->time.contains(interval.begin)) hand(span, *first);
      continue;
    }
    const auto beyond = std::partition_point(
        first, windows.end(),
        [&interval](const StepWindow& each) { return each.time.begin < interval.end; });
    if (beyond == first) continue;
    const auto last = beyond - 1;
    const auto covers_whole = [&interval](const StepWindow& each) {
      return interval.begin < each.time.begin && interval.end > each.time.end;
    };
    // Of the windows that it touches only the outer ones can see it begin or end.
    auto from = first;
    auto to = beyond;
    if (!covers_whole(*first)) hand(span, *from++);
    if (from != to && !covers_whole(*last)) {
      --to;
      hand(span, *to);
    }
    if (from == to) continue;
    covers.push_back({span, static_cast<std::size_t>(from - windows.begin()),
                      static_cast<std::size_t>(to - windows.begin()) - 1});
  }
  for (std::size_t position = 0; position < windows.size(); ++position)
    windows[position].position = position;
  if (covers.empty()) return;
  std::vector<bool> joined(trace.tasks.size());
  for (std::size_t task = 0; task < joined.size(); ++task)
    joined[task] = !is_pseudo_task(trace.tasks[task]);
  const bool any_joined =
      std::any_of(covers.begin(), covers.end(), [&](const CoveringSpans::Cover& cover) {
        const std::uint32_t task = spans.task[cover.span];
        return task < joined.size() && joined[task];
      });
  const auto covering = std::make_shared<const CoveringSpans>(std::move(covers), any_joined);
  for (StepWindow& window : windows)
    window.covering = covering;
}

bool is_imported(const Trace& trace) {
  const auto executor = trace.provenance.find("executor");
  return executor != trace.provenance.end() && executor->second == "imported";
}

/// Where an import ended early, any work may be missing, and the ends of steps, which are those of
/// their work, with it.
bool cut_off_import(const Trace& trace) {
  return is_imported(trace) && trace.state == RecordingState::abandoned;
}

/// The whole range of an import is one step only where its times are of one clock.
bool unrelated_range(const Trace& trace) {
  return has_finding(trace, "unverified_clocks") ||
         (has_finding(trace, "distant_times") && has_finding(trace, "no_steps"));
}

bool is_whole_graph(const Trace& trace, std::size_t span) {
  return activity_kind(trace, trace.spans.activity[span]) == ActivityKind::graph;
}

/// The steps with the ends of the last work on streams that serves them.
std::vector<TraceStep> ended_by_devices(const Trace& trace) {
  std::vector<TraceStep> steps = trace.steps;
  std::unordered_map<std::int64_t, std::int64_t> last_end;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    const bool ran = on_stream(trace, span) || is_whole_graph(trace, span);
    if (trace.spans.step[span] < 0 || !ran) continue;
    const auto [known, fresh] =
        last_end.try_emplace(trace.spans.step[span], trace.spans.end_ns[span]);
    if (!fresh) known->second = std::max(known->second, trace.spans.end_ns[span]);
  }
  // A single step may be the whole range of the recording: it keeps its end.
  for (TraceStep& step : steps) {
    const auto found = last_end.find(step.step);
    if (found == last_end.end()) continue;
    step.end_ns = steps.size() == 1 ? std::max(step.end_ns, found->second) : found->second;
  }
  return steps;
}

/// Calls that launch a graph, told by their names: of those nothing else is known where what they
/// launched was not recorded.
class GraphCalls {
 public:
  explicit GraphCalls(const Trace& trace) : trace_(trace) {
    // Calls that launch kernels launch nothing while a stream is captured: the importer tells apart.
    const bool kernels_lost = has_finding(trace, "launched_work_missing");
    for (const TraceActivity& each : trace.activities) {
      const bool named = each.name.find("GraphLaunch") != std::string::npos ||
                         (kernels_lost && each.name.find("LaunchKernel") != std::string::npos);
      const bool launch = each.kind == ActivityKind::api_call && named;
      calls_.push_back(launch);
      any_ = any_ || launch;
    }
    if (!any_) return;
    for (std::size_t span = 0; span < trace.spans.size(); ++span) {
      const std::uint32_t activity = trace.spans.activity[span];
      if (is_device_activity(trace, activity) || is_whole_graph(trace, span)) {
        launched_.insert(trace.spans.correlation[span]);
      }
    }
    for (const TraceUntimed& each : trace.untimed)
      launched_.insert(each.correlation);
  }

  /// True for a call under whose correlation no work was recorded.
  [[nodiscard]] bool launched_nothing(std::size_t span) const {
    const std::uint32_t activity = trace_.spans.activity[span];
    return any_ && activity < calls_.size() && calls_[activity] &&
           !launched_.contains(trace_.spans.correlation[span]);
  }

 private:
  const Trace& trace_;
  std::vector<bool> calls_;  ///< per activity
  bool any_ = false;
  std::unordered_set<std::uint32_t> launched_;
};

/// Per step the time in which spans on streams that serve it ran, of those that cover windows.
std::unordered_map<std::int64_t, IntervalSet> served_beside(
    const Trace& trace, const std::vector<StepWindow>& windows) {
  std::unordered_map<std::int64_t, std::vector<Interval>> times;
  if (windows.empty() || windows.front().covering == nullptr) return {};
  for (const CoveringSpans::Cover& cover : windows.front().covering->covers()) {
    const std::int32_t step = trace.spans.step[cover.span];
    if (step >= 0 && on_stream(trace, cover.span))
      times[step].push_back(interval_of(trace.spans, cover.span));
  }
  std::unordered_map<std::int64_t, IntervalSet> served;
  for (auto& [step, intervals] : times)
    served.try_emplace(step, std::move(intervals));
  return served;
}

/// The first step that a graph launch of which nobody knows the end may have been under way in;
/// nothing where there is no such launch.
std::optional<std::int64_t> first_with_open_graph(const Trace& trace) {
  std::optional<std::int64_t> first;
  for (const TraceUntimed& each : trace.untimed) {
    if (activity_kind(trace, each.activity) != ActivityKind::graph) continue;
    const std::int64_t step =
        each.step < 0 ? std::numeric_limits<std::int64_t>::min() : std::int64_t{each.step};
    first = first ? std::min(*first, step) : step;
  }
  return first;
}

/// Says of each window how much of its work was recorded: a step whose work is missing must not
/// look idle.
void judge_records(const Trace& trace, std::vector<StepWindow>& windows) {
  std::unordered_set<std::int64_t> launched;
  for (const TraceLaunch& launch : trace.launches)
    launched.insert(launch.step);
  const GraphCalls calls(trace);
  const std::optional<std::int64_t> open_graph = first_with_open_graph(trace);
  const auto graphs =
      windows_with(windows, [&trace](std::uint32_t span) { return is_whole_graph(trace, span); });
  const auto lost_calls =
      windows_with(windows, [&calls](std::uint32_t span) { return calls.launched_nothing(span); });
  const auto serve_any = windows_with(windows, [&trace](std::uint32_t span) {
    return trace.spans.step[span] < 0 && on_stream(trace, span);
  });
  const auto beside = served_beside(trace, windows);
  for (StepWindow& window : windows) {
    const bool open = open_graph && window.step >= *open_graph;
    if (graphs[window.position] || open) window.record = WorkRecord::graphs_only;
    bool served = serve_any[window.position] ||
                  std::any_of(window.spans.begin(), window.spans.end(), [&](std::uint32_t span) {
                    return trace.spans.step[span] == window.step && on_stream(trace, span);
                  });
    if (const auto found = beside.find(window.step); !served && found != beside.end())
      served = !found->second.within(window.time).empty();
    // A step that says so is believed; of other recordings what is there tells.
    const bool cut_off = trace.state == RecordingState::abandoned && !served;
    const bool lost = cut_off || lost_calls[window.position] ||
                      trace.steps[window.index].recording == StepRecording::none ||
                      (launched.contains(window.step) && !served);
    if (window.record == WorkRecord::nodes && lost) {
      window.record = WorkRecord::missing;
    }
  }
}

}  // namespace

CoveringSpans::CoveringSpans(std::vector<Cover> covers, bool joined)
    : covers_(std::move(covers)), lasts_(lasts_of(covers_)), joined_(joined) {}

std::vector<std::uint32_t> CoveringSpans::over(std::size_t window) const {
  const auto begun = static_cast<std::size_t>(
      std::partition_point(covers_.begin(), covers_.end(),
                           [window](const Cover& cover) { return cover.first <= window; }) -
      covers_.begin());
  std::vector<std::uint32_t> spans;
  const auto least = static_cast<std::int64_t>(window);
  for (auto found = lasts_.first(0, begun, least); found;
       found = lasts_.first(*found + 1, begun, least)) {
    spans.push_back(covers_[*found].span);
  }
  return spans;
}

std::vector<std::uint32_t> StepWindow::touching(const SpanColumns& columns) const {
  if (covering == nullptr || time.empty()) return spans;
  const std::vector<std::uint32_t> outer = covering->over(position);
  std::vector<std::uint32_t> all;
  all.reserve(outer.size() + spans.size());
  std::merge(outer.begin(), outer.end(), spans.begin(), spans.end(), std::back_inserter(all),
             [&columns](std::uint32_t a, std::uint32_t b) {
               return std::pair(span_key(columns, a), a) < std::pair(span_key(columns, b), b);
             });
  return all;
}

Interval interval_of(const SpanColumns& spans, std::size_t span) {
  return {spans.begin_ns[span], spans.end_ns[span]};
}

bool on_stream(const Trace& trace, std::size_t span) {
  const std::size_t lane = trace.spans.lane[span];
  return lane < trace.lanes.size() && trace.lanes[lane].kind == LaneKind::stream &&
         trace.spans.task[span] < trace.tasks.size() && is_work(trace, span);
}

std::string reason_of(WorkRecord record) {
  switch (record) {
    case WorkRecord::nodes:
      return {};
    case WorkRecord::graphs_only:
      return "node records absent: only whole graph launches were recorded";
    case WorkRecord::missing:
      return "node records absent: what was launched was not recorded";
  }
  return {};
}

WindowBasis window_basis(const Trace& trace, const std::vector<StepWindow>& windows) {
  if (!is_imported(trace)) return WindowBasis::steady_steps;
  // The warm-up is timed only where everything is.
  if (windows.empty() || !windows.front().timed) return WindowBasis::steady_steps;
  const Interval& first = windows.front().time;
  const SpanColumns& spans = trace.spans;
  const auto within = [&first](std::int64_t time) {
    return first.begin <= time && time <= first.end;
  };
  const bool all = std::all_of(spans.begin_ns.begin(), spans.begin_ns.end(), within) &&
                   std::all_of(spans.end_ns.begin(), spans.end_ns.end(), within);
  return windows.size() == 1 && all ? WindowBasis::whole_range : WindowBasis::all_steps;
}

std::optional<std::string> full_shape(const Trace& trace) {
  const TraceStep* largest = nullptr;
  for (const TraceStep& step : trace.steps) {
    if (step.phase == kTrain && (largest == nullptr || step.batch > largest->batch)) {
      largest = &step;
    }
  }
  if (largest == nullptr) return std::nullopt;
  return largest->shape;
}

std::vector<StepWindow> step_windows(const Trace& trace) {
  const std::optional<std::string> shape = full_shape(trace);
  std::vector<StepWindow> windows;
  const std::vector<TraceStep> steps = is_imported(trace) ? ended_by_devices(trace) : trace.steps;
  const TraceStep* previous = nullptr;
  std::int64_t first_step = 0;
  for (const std::size_t index : steps_in_order(trace)) {
    const TraceStep& step = steps[index];
    if (previous == nullptr) first_step = step.step;
    StepWindow window;
    window.index = index;
    window.step = step.step;
    window.time = {previous == nullptr ? step.begin_ns : previous->end_ns, step.end_ns};
    const bool follows = previous != nullptr && previous->step + 1 == step.step;
    // After a hole in the recording only the step's own times are known.
    if (previous != nullptr && !follows) {
      window.time.begin = std::max(previous->end_ns, step.begin_ns);
    }
    // Steps end in order; a clock that says otherwise gives an empty window, not one that goes
    // back in time.
    window.time.end = std::max(window.time.begin, window.time.end);
    const auto full = [&shape](const TraceStep& each) {
      return each.phase == kTrain && each.shape == shape;
    };
    window.timed = follows && full(step) && full(*previous) && !window.time.empty() &&
                   step.step - first_step >= kWarmUpSteps &&
                   step.recording != StepRecording::disturbed;
    windows.push_back(std::move(window));
    if (previous == nullptr || step.end_ns >= previous->end_ns) previous = &step;
  }
  const auto is_timed = [](const StepWindow& window) { return window.timed; };
  if (is_imported(trace) && std::none_of(windows.begin(), windows.end(), is_timed)) {
    for (StepWindow& window : windows)
      window.timed = !window.time.empty();
  }
  if (cut_off_import(trace) || unrelated_range(trace)) {
    for (StepWindow& window : windows)
      window.timed = false;
  }
  hand_out_spans(trace, windows);
  judge_records(trace, windows);
  return windows;
}

std::string untimed_reason(const Trace& trace) {
  if (trace.steps.empty()) return "no step was recorded";
  if (cut_off_import(trace))
    return "the import was cut off before its end: work that is missing would look like idle time";
  if (unrelated_range(trace))
    return "times that lie hours apart, or are of clocks that were not compared, give no step time";
  if (!full_shape(trace)) return "no training step was recorded";
  return "needs a training step of the full batch that follows another one and is not among the "
         "first " +
         std::to_string(kWarmUpSteps) + " steps";
}

std::vector<std::size_t> timed_by_length(const std::vector<StepWindow>& windows) {
  std::vector<std::size_t> timed;
  for (std::size_t position = 0; position < windows.size(); ++position) {
    if (windows[position].timed) timed.push_back(position);
  }
  std::stable_sort(timed.begin(), timed.end(), [&windows](std::size_t a, std::size_t b) {
    return windows[a].time.length() < windows[b].time.length();
  });
  return timed;
}

std::optional<std::size_t> median_window(const std::vector<StepWindow>& windows) {
  const std::vector<std::size_t> timed = timed_by_length(windows);
  if (timed.empty()) return std::nullopt;
  return timed[(timed.size() - 1) / 2];
}

}  // namespace quintet
