#include "profiler/analysis/critical_path.h"

#include <algorithm>

namespace quintet {

namespace {

bool ordered(const RunInterval& earlier, const RunInterval& later, TaskRelations& relations,
             PathOrder order) {
  if (earlier.time.end > later.time.begin) return false;
  switch (order) {
    case PathOrder::as_run:
      return earlier.lane == later.lane || relations.graph_edge(earlier.task, later.task) ||
             relations.conflict(earlier.task, later.task);
    case PathOrder::data:
      return relations.data_conflict(earlier.task, later.task);
  }
  return false;
}

}  // namespace

std::vector<RunInterval> stream_runs(const Trace& trace, const StepWindow& window) {
  std::vector<RunInterval> runs = task_runs(trace, window, RunChoice::begun);
  std::erase_if(runs, [&trace](const RunInterval& run) {
    return trace.lanes[run.lane.value()].kind != LaneKind::stream;
  });
  return runs;
}

CriticalPath critical_path(const std::vector<RunInterval>& runs, TaskRelations& relations,
                           PathOrder order) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const std::size_t count = runs.size();
  CriticalPath result;
  std::vector<std::vector<std::size_t>> successors(count);
  std::vector<std::int64_t> until(count);  // longest chain that ends with the run, it included
  std::vector<std::size_t> before(count, kNone);
  for (std::size_t later = 0; later < count; ++later) {
    std::int64_t longest = 0;
    for (std::size_t earlier = 0; earlier < later; ++earlier) {
      if (!ordered(runs[earlier], runs[later], relations, order)) continue;
      successors[earlier].push_back(later);
      if (before[later] == kNone || until[earlier] > longest) {
        longest = until[earlier];
        before[later] = earlier;
      }
    }
    until[later] = longest + runs[later].time.length();
  }
  std::vector<std::int64_t> from(count);  // longest chain that begins with the run, it included
  for (std::size_t run = count; run-- > 0;) {
    std::int64_t longest = 0;
    for (const std::size_t next : successors[run])
      longest = std::max(longest, from[next]);
    from[run] = longest + runs[run].time.length();
  }
  if (count == 0) return result;
  std::size_t last =
      static_cast<std::size_t>(std::max_element(until.begin(), until.end()) - until.begin());
  result.length_ns = until[last];
  for (; last != kNone; last = before[last])
    result.path.push_back(last);
  std::reverse(result.path.begin(), result.path.end());
  result.slack_ns.reserve(count);
  for (std::size_t run = 0; run < count; ++run) {
    result.slack_ns.push_back(result.length_ns -
                              (until[run] + from[run] - runs[run].time.length()));
  }
  return result;
}

}  // namespace quintet
