#include "tests/fuzz/trace_check.h"

#include <cstdio>
#include <cstdlib>

#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

void require_spans(const Trace& trace) {
  const SpanColumns& spans = trace.spans;
  const std::size_t size = spans.size();
  require(spans.end_ns.size() == size && spans.cpu_ns.size() == size && spans.task.size() == size &&
              spans.step.size() == size && spans.lane.size() == size &&
              spans.executor_lane.size() == size && spans.activity.size() == size &&
              spans.correlation.size() == size && spans.channel.size() == size,
          "columns are of one length");
  require(spans_sorted(spans), "spans are sorted");
  for (std::size_t i = 0; i < size; ++i) {
    require(0 <= spans.begin_ns[i] && spans.begin_ns[i] <= spans.end_ns[i],
            "spans end after they begin");
    require(spans.step[i] >= -1, "steps count from 0");
    require(spans.task[i] < trace.tasks.size() && spans.lane[i] < trace.lanes.size() &&
                spans.executor_lane[i] < trace.lanes.size() &&
                (spans.activity[i] == kWholeTask || spans.activity[i] < trace.activities.size()),
            "spans point into their tables");
  }
}

void require_plan(const Trace& trace) {
  for (const TraceTask& task : trace.tasks) {
    require(!task.policy_lane || task.policy_lane->value() < trace.lanes.size(),
            "tasks point into the lanes");
    for (const Access& access : task.accesses)
      require(access.region.value() < trace.regions.size(), "accesses point into the regions");
  }
  for (const TraceGraph& graph : trace.graphs) {
    require(graph.primary.value() < trace.lanes.size(), "graphs point into the lanes");
    for (const std::uint32_t task : graph.tasks)
      require(task < trace.tasks.size(), "graphs point into the tasks");
    for (const TraceEdge& edge : graph.edges) {
      require(edge.from < trace.tasks.size() && edge.to < trace.tasks.size(),
              "edges point into the tasks");
    }
  }
}

}  // namespace

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void require_consistent(const Trace& trace) {
  require_spans(trace);
  require_plan(trace);
  for (const TraceUntimed& each : trace.untimed) {
    require(each.task < trace.tasks.size() && each.lane < trace.lanes.size() &&
                each.executor_lane < trace.lanes.size() && each.activity < trace.activities.size(),
            "untimed activities point into their tables");
  }
  for (const TraceHostWait& wait : trace.host_waits)
    require(wait.lane.value() < trace.lanes.size(), "waits point into the lanes");
  for (const TraceLaunch& launch : trace.launches) {
    require(launch.lane.value() < trace.lanes.size() && launch.graph < trace.graphs.size(),
            "launches point into their tables");
  }
  for (const TraceStep& step : trace.steps)
    require(0 <= step.begin_ns && step.begin_ns <= step.end_ns, "steps end after they begin");
  for (const Finding& finding : trace.findings)
    require(!finding.name.empty(), "findings have names");
}

}  // namespace quintet
