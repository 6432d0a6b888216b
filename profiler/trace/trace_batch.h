/// What a run did since the last flush: the unit in which a recording grows.
#pragma once

#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

/// Spans in any order; steps in order. Lanes, tasks and activities that the plan did not foresee
/// come at the end of the tables of the trace: their ids go on where those end.
struct TraceBatch {
  LaneTable lanes;
  std::vector<TraceTask> tasks;
  std::vector<TraceActivity> activities;
  SpanColumns spans;
  std::vector<TraceUntimed> untimed;
  std::vector<TraceStep> steps;
  std::vector<TraceHostWait> host_waits;
  std::vector<TraceLaunch> launches;
  std::vector<TraceClock> clocks;
  std::vector<TraceLaneClock> lane_clocks;
  std::vector<TraceClockPair> clock_pairs;
};

/// Appends one span; `columns` stay of equal length.
inline void append_span(SpanColumns& columns, const Span& span) {
  columns.begin_ns.push_back(span.begin_ns);
  columns.end_ns.push_back(span.end_ns);
  columns.cpu_ns.push_back(span.cpu_ns);
  columns.task.push_back(span.task);
  columns.step.push_back(span.step);
  columns.lane.push_back(span.lane);
  columns.executor_lane.push_back(span.executor_lane);
  columns.activity.push_back(span.activity);
  columns.correlation.push_back(span.correlation);
  columns.channel.push_back(span.channel);
}

/// Puts a later batch behind an earlier one.
void append(TraceBatch& batch, TraceBatch later);
/// Appends a batch to a trace held in memory, whose spans stay sorted.
void append(Trace& trace, TraceBatch batch);

}  // namespace quintet
