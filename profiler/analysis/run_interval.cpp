#include "profiler/analysis/run_interval.h"

#include <map>
#include <tuple>

#include "profiler/analysis/device_work.h"

namespace quintet {

namespace {

/// Runs that are one span each and began earlier are not among those that begin in the window.
std::vector<std::uint32_t> spans_for(const Trace& trace, const StepWindow& window,
                                     RunChoice choice) {
  if (choice == RunChoice::touching) return window.touching(trace.spans);
  const bool joined = window.covering != nullptr && window.covering->joined();
  std::vector<std::uint32_t> spans = joined ? window.touching(trace.spans) : window.spans;
  std::erase_if(spans, [&](std::uint32_t span) {
    const std::uint32_t task = trace.spans.task[span];
    return task < trace.tasks.size() && is_pseudo_task(trace.tasks[task]) &&
           !window.time.contains(trace.spans.begin_ns[span]);
  });
  return spans;
}

}  // namespace

std::vector<RunInterval> task_runs(const Trace& trace, const StepWindow& window, RunChoice choice) {
  using Key = std::tuple<std::uint32_t, std::int32_t, std::uint16_t>;
  std::map<Key, std::size_t> position;
  std::vector<RunInterval> runs;
  for (const std::uint32_t span : spans_for(trace, window, choice)) {
    const SpanColumns& spans = trace.spans;
    const std::uint32_t task = spans.task[span];
    if (task >= trace.tasks.size() || spans.lane[span] >= trace.lanes.size()) continue;
    const bool on_stream_lane = trace.lanes[spans.lane[span]].kind == LaneKind::stream;
    if (on_stream_lane && !is_work(trace, span)) continue;
    const Interval time = interval_of(spans, span);
    const RunInterval begun{task, spans.step[span],       LaneId(spans.lane[span]),
                            time, time.length(),          spans.cpu_ns[span],
                            1,    spans.correlation[span]};
    if (is_pseudo_task(trace.tasks[task])) {
      runs.push_back(begun);
      continue;
    }
    const auto [found, fresh] =
        position.try_emplace({task, spans.step[span], spans.lane[span]}, runs.size());
    if (fresh) {
      runs.push_back(begun);
      continue;
    }
    RunInterval& run = runs[found->second];
    // Spans come by begin, so what lies before the run's end so far is counted already.
    run.busy_ns += Interval{std::max(time.begin, run.time.end), time.end}.length();
    run.time.end = std::max(run.time.end, time.end);
    run.cpu_ns = run.cpu_ns < 0 || spans.cpu_ns[span] < 0 ? -1 : run.cpu_ns + spans.cpu_ns[span];
    ++run.spans;
    if (run.correlation == 0) run.correlation = spans.correlation[span];
  }
  if (choice == RunChoice::begun) {
    std::erase_if(
        runs, [&window](const RunInterval& run) { return !window.time.contains(run.time.begin); });
  }
  std::sort(runs.begin(), runs.end(), [](const RunInterval& a, const RunInterval& b) {
    return std::tuple(a.time.begin, a.time.end, a.lane, a.task, a.step) <
           std::tuple(b.time.begin, b.time.end, b.lane, b.task, b.step);
  });
  return runs;
}

}  // namespace quintet
