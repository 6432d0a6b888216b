/// What a run did since the last flush: the unit in which a recording grows.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

/// Spans in any order; steps in order.
struct TraceBatch {
  SpanColumns spans;
  std::vector<TraceStep> steps;
  std::vector<TraceHostWait> host_waits;
  std::vector<TraceLaunch> launches;
};

/// Appends one span; `columns` stay of equal length.
inline void append_span(SpanColumns& columns, std::int64_t begin_ns, std::int64_t end_ns,
                        std::int64_t cpu_ns, std::uint32_t task, std::int32_t step,
                        std::uint16_t lane, std::uint16_t executor_lane) {
  columns.begin_ns.push_back(begin_ns);
  columns.end_ns.push_back(end_ns);
  columns.cpu_ns.push_back(cpu_ns);
  columns.task.push_back(task);
  columns.step.push_back(step);
  columns.lane.push_back(lane);
  columns.executor_lane.push_back(executor_lane);
}

/// Appends a batch to a trace held in memory, whose spans stay sorted.
void append(Trace& trace, TraceBatch batch);

}  // namespace quintet
