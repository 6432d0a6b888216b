/// From tasks on streams and a rule to the waits between streams: the sync plan of one captured
/// graph.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/model/access.h"
#include "runtime/model/region.h"
#include "runtime/model/result.h"
#include "runtime/model/task.h"
#include "runtime/model/task_graph.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

struct SyncInput {
  std::span<const Task> tasks;  ///< all tasks of the plan; TaskId indexes it and is program order
  std::span<const std::vector<Access>> accesses;  ///< of each task, placed
  std::span<const PlacedTask> placed;             ///< the graph's tasks in issue order
  SyncRule rule = SyncRule::dataflow;
  std::span<const ManualEdge> manual;
  std::string policy_file;          ///< for errors of manual edges
  std::span<const Region> regions;  ///< names regions in reasons; may be empty
};

/// The cross-stream edges the rule gives, sorted by `to`, then `from`, in issue order: no edge is
/// implied by stream order and the other edges (transitively reduced, whatever the rule).
/// * adjacent: per sub-graph (a whole step holds several), op by op in issue order of each op's
/// first
///   task:
///   - the representative stream of an op waits for the output stream of the op before it in the
///     list;
///   - the op's parts on other streams wait for the op's entry, which is what its representative
///     stream had reached by then, that wait included (op_internal); of two parts that conflict the
///     later waits for the earlier: dX for dW where dX takes X's bytes (op_internal).
///   In a whole step, sub-graphs among each other are ordered by conflicts (rule `conflict`), as
///   its definition demands.
/// * adjacent_conflicts: adjacent, plus a conflict edge for each pair left unordered.
/// * dataflow: conflict edges only.
/// * manual: the listed edges between two tasks of this graph; an edge that names no task of the
///   plan, or runs against issue order, is an error with the line of the policy file.
/// Where several rules give one edge, it carries the first of adjacent, op_internal, conflict.
/// Issue order must be a linear extension of the conflicts in program order, else: error that names
/// the pair. (adjacent and manual do not check that: the proof judges them.)
Result<std::vector<Edge>> plan_sync(const SyncInput& input);

}  // namespace quintet
