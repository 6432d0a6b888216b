/// The longest chain of task runs of one step, and how long each run could have lasted without
/// making it longer.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/analysis/run_interval.h"
#include "profiler/analysis/task_relations.h"

namespace quintet {

/// What orders two runs.
enum class PathOrder : std::uint8_t {
  as_run,  ///< captured edges, the stream's own order, conflicts of byte ranges
  data,    ///< conflicts that no placement could remove: the network's own critical path
};

struct CriticalPath {
  std::int64_t length_ns = 0;          ///< sum of the durations along the path; gaps do not count
  std::vector<std::size_t> path;       ///< positions in the runs, in time order
  std::vector<std::int64_t> slack_ns;  ///< per run; 0 = on a longest path
};

/// `runs` sorted as task_runs gives them. An earlier run precedes a later one where an order of
/// `order` holds and the earlier had ended when the later began: what overlapped was not ordered.
CriticalPath critical_path(const std::vector<RunInterval>& runs, TaskRelations& relations,
                           PathOrder order);

/// The runs of a window that count: begun in it, on streams.
std::vector<RunInterval> stream_runs(const Trace& trace, const StepWindow& window);

}  // namespace quintet
