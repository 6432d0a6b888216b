#include "profiler/analysis/step_window.h"

#include <algorithm>
#include <numeric>

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

/// Gives each window the spans that touch it. Windows must not overlap and be in time order.
void hand_out_spans(const SpanColumns& spans, std::vector<StepWindow>& windows) {
  std::vector<std::uint32_t> order(spans.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto earlier = [&spans](std::uint32_t a, std::uint32_t b) {
    return span_key(spans, a) < span_key(spans, b);
  };
  if (!std::is_sorted(order.begin(), order.end(), earlier)) {
    std::stable_sort(order.begin(), order.end(), earlier);
  }
  for (const std::uint32_t span : order) {
    const Interval interval = interval_of(spans, span);
    auto window = std::partition_point(
        windows.begin(), windows.end(),
        [&interval](const StepWindow& each) { return each.time.end <= interval.begin; });
    // A span without length still lies in the window that its instant falls into.
    for (; window != windows.end() &&
           (window->time.begin < interval.end || window->time.contains(interval.begin));
         ++window) {
      if (!window->time.empty()) window->spans.push_back(span);
    }
  }
}

}  // namespace

Interval interval_of(const SpanColumns& spans, std::size_t span) {
  return {spans.begin_ns[span], spans.end_ns[span]};
}

bool on_stream(const Trace& trace, std::size_t span) {
  const std::size_t lane = trace.spans.lane[span];
  return lane < trace.lanes.size() && trace.lanes[lane].kind == LaneKind::stream &&
         trace.spans.task[span] < trace.tasks.size();
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
  const TraceStep* previous = nullptr;
  std::int64_t first_step = 0;
  for (const std::size_t index : steps_in_order(trace)) {
    const TraceStep& step = trace.steps[index];
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
    window.recorded = step.recording == StepRecording::all;
    windows.push_back(std::move(window));
    if (previous == nullptr || step.end_ns >= previous->end_ns) previous = &step;
  }
  hand_out_spans(trace.spans, windows);
  return windows;
}

std::string untimed_reason(const Trace& trace) {
  if (trace.steps.empty()) return "no step was recorded";
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
