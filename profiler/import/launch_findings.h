/// What is odd about the calls, streams and threads of an import: launches without work, work out of
/// order, ranges that cross.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/import/activity_table.h"
#include "profiler/import/finding_counts.h"
#include "profiler/import/launch_table.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Once work is joined with its calls, whose spans have not moved yet. `device_work` = how many works
/// of devices there are, timed or not. Findings: "no_device_work", "graph_nodes_not_recorded",
/// "launched_work_missing".
void judge_launches(const LaunchTable& calls, const ActivityTable& activities,
                    const SpanColumns& spans, std::int64_t device_work, FindingCounts& findings);

/// Of sorted spans, whose activities are those of the table. Finding: "overrunning_work".
void judge_streams(const ActivityTable& activities, const SpanColumns& spans,
                   FindingCounts& findings);

/// Of sorted spans of these tasks: nested ranges of one thread that begin inside another and end after
/// it. Where a range ends that nothing closed is unknown: it crosses none. Finding: "crossing_ranges".
/// `is_thread`: by lane.
void judge_threads(const std::vector<TraceTask>& tasks, const std::vector<bool>& is_thread,
                   const SpanColumns& spans, FindingCounts& findings);

}  // namespace quintet
