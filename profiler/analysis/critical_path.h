/// The longest chain of task runs, and of the calls that launched them, of one step, and how long
/// each could have lasted without making it longer.
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
  std::int64_t length_ns = 0;  ///< sum of the durations along the path; gaps do not count
  std::int64_t call_ns = 0;    ///< the part of it that is spent in calls
  /// Positions in time order: in the runs, and beyond their number in the calls.
  std::vector<std::size_t> path;
  std::vector<std::int64_t> slack_ns;  ///< per run, then per call; 0 = on a longest path
};

/// `runs` sorted as task_runs gives them. An earlier run precedes a later one where an order of
/// `order` holds and the earlier had ended when the later began: what overlapped was not ordered.
///
/// `calls` (of `relations`, none for PathOrder::data) join the chains: a call precedes what it
/// launched, with its part until that began, and the later calls of its thread; a call that a
/// thread made after waiting for a stream follows the run that ended the wait.
CriticalPath critical_path(const std::vector<RunInterval>& runs, TaskRelations& relations,
                           PathOrder order, const std::vector<const LaunchCall*>& calls = {});

/// The runs of a window that count: begun in it, on streams.
std::vector<RunInterval> stream_runs(const Trace& trace, const StepWindow& window);

/// The launches that begin in a window, by begin.
std::vector<const LaunchCall*> calls_within(const TaskRelations& relations,
                                            const StepWindow& window);

/// A step's runs and the path through them.
struct StepPath {
  std::vector<RunInterval> runs;  ///< as stream_runs gives them
  CriticalPath path;              ///< its first positions are those of the runs
};

/// The critical path of a step as it ran, launch calls included: the one rule for all who tell of a
/// step's path.
StepPath step_path(const Trace& trace, const StepWindow& window, TaskRelations& relations);

}  // namespace quintet
