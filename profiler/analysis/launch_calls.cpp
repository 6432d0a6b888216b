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
  const IntervalLengths times(overhead(trace));
  if (times.set().empty()) return;
  for (LaunchCall& call : calls)
    call.held_up_ns = times.within(call.time);
}

}  // namespace

CallIndex::CallIndex(const std::vector<LaunchCall>& calls) {
  for (std::uint32_t call = 0; call < calls.size(); ++call) {
    if (calls[call].correlation != 0)
      entries_.push_back({calls[call].correlation, call, calls[call].time.begin});
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.correlation < b.correlation; });
  std::size_t kept = 0;
  for (const Entry& each : entries_) {
    const bool within = kept > 0 && entries_[kept - 1].correlation == each.correlation &&
                        each.begin_ns < calls[entries_[kept - 1].call].time.end;
    if (!within) entries_[kept++] = each;
  }
  entries_.resize(kept);
}

std::optional<std::size_t> CallIndex::find(std::uint32_t correlation, std::int64_t begin_ns) const {
  if (correlation == 0) return std::nullopt;
  const auto after = std::partition_point(entries_.begin(), entries_.end(), [&](const Entry& each) {
    return std::tie(each.correlation, each.begin_ns) <= std::tie(correlation, begin_ns);
  });
  if (after != entries_.begin() && (after - 1)->correlation == correlation)
    return (after - 1)->call;
  if (after != entries_.end() && after->correlation == correlation) return after->call;
  return std::nullopt;
}

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
