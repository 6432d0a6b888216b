#include "profiler/analysis/launch_calls.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "profiler/analysis/device_work.h"

namespace quintet {

namespace {

/// Which correlations work of devices carries, each one bit.
class Correlations {
 public:
  void insert(std::uint32_t correlation) {
    if (correlation == 0) return;
    if (bits_.size() <= correlation) bits_.resize(std::size_t{correlation} + 1);
    bits_[correlation] = true;
  }
  void erase(std::uint32_t correlation) {
    if (correlation < bits_.size()) bits_[correlation] = false;
  }
  [[nodiscard]] bool contains(std::uint32_t correlation) const {
    return correlation < bits_.size() && bits_[correlation];
  }

 private:
  std::vector<bool> bits_;
};

Correlations launched_work(const Trace& trace) {
  Correlations launched;
  const SpanColumns& spans = trace.spans;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    const auto kind = activity_kind(trace, spans.activity[span]);
    if (kind == ActivityKind::graph || is_device_activity(trace, spans.activity[span])) {
      launched.insert(spans.correlation[span]);
    }
  }
  for (const TraceUntimed& each : trace.untimed)
    launched.insert(each.correlation);
  return launched;
}

/// When a profiler or driver held up those who called it. Buffers are flushed on a thread of its own.
IntervalSet overhead(const Trace& trace) {
  std::vector<bool> counts(trace.tasks.size());
  for (std::size_t task = 0; task < counts.size(); ++task) {
    counts[task] = trace.tasks[task].op_kind == kOverheadKind &&
                   trace.tasks[task].name.find("Flush") == std::string::npos;
  }
  std::vector<Interval> times;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    const std::uint32_t task = trace.spans.task[span];
    if (task < counts.size() && counts[task])
      times.push_back({trace.spans.begin_ns[span], trace.spans.end_ns[span]});
  }
  return IntervalSet(std::move(times));
}

void mark_held_up(const Trace& trace, std::vector<LaunchCall>& calls) {
  const IntervalSet times = overhead(trace);
  if (times.empty()) return;
  const std::vector<Interval>& all = times.intervals();
  for (LaunchCall& call : calls) {
    auto time = std::partition_point(all.begin(), all.end(), [&call](const Interval& each) {
      return each.end <= call.time.begin;
    });
    for (; time != all.end() && time->begin < call.time.end; ++time)
      call.held_up_ns += intersect(*time, call.time).length();
  }
}

}  // namespace

std::vector<LaunchCall> launch_calls(const Trace& trace) {
  std::vector<LaunchCall> calls;
  for (const TraceLaunch& launch : trace.launches) {
    calls.push_back({{launch.begin_ns, launch.end_ns},
                     launch.step,
                     launch.correlation,
                     launch.graph,
                     launch.lane.value(),
                     LaunchCall::kUnknown});
  }
  const bool api_calls =
      std::any_of(trace.activities.begin(), trace.activities.end(),
                  [](const TraceActivity& each) { return each.kind == ActivityKind::api_call; });
  if (api_calls) {
    Correlations launched = launched_work(trace);
    for (const TraceLaunch& launch : trace.launches)
      launched.erase(launch.correlation);  // told already
    const SpanColumns& spans = trace.spans;
    for (std::size_t span = 0; span < spans.size(); ++span) {
      if (activity_kind(trace, spans.activity[span]) != ActivityKind::api_call) continue;
      if (!launched.contains(spans.correlation[span])) continue;
      calls.push_back({{spans.begin_ns[span], spans.end_ns[span]},
                       spans.step[span],
                       spans.correlation[span],
                       LaunchCall::kUnknown,
                       LaunchCall::kUnknown,
                       spans.lane[span]});
    }
  }
  std::stable_sort(calls.begin(), calls.end(), [](const LaunchCall& a, const LaunchCall& b) {
    return std::tie(a.time.begin, a.time.end) < std::tie(b.time.begin, b.time.end);
  });
  mark_held_up(trace, calls);
  return calls;
}

}  // namespace quintet
