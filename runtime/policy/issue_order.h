/// The order in which the tasks of a captured graph are issued: program order, but for what the
/// policy delays. It decides the order on each stream.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/model/access.h"
#include "runtime/model/result.h"
#include "runtime/model/task.h"
#include "runtime/model/task_graph.h"
#include "runtime/policy/reachability.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

struct IssueInput {
  std::span<const Task> tasks;  ///< all tasks of the plan; TaskId indexes it and is program order
  std::span<const std::vector<Access>> accesses;  ///< of each task, placed
  std::span<const PlacedTask> placed;             ///< the graph's tasks in program order
  std::span<const IssueRule> rules;
  std::string policy_file;  ///< for errors
};

/// The graph's tasks in issue order: of those that nothing holds back, always the first in program
/// order. What holds a task back: a task that it conflicts with and that is earlier in program
/// order, and the `after` of a rule, where both are in this graph. So the result is always a linear
/// extension of the conflicts. Error: rules that ask for a circle, with the line of the first.
Result<std::vector<PlacedTask>> issue_order(const IssueInput& input);

/// Error: a rule whose `after` names no task of the plan, or whose `task` matches none.
Result<void> check_issue_rules(const StreamPolicy& policy, std::span<const Task> tasks);

/// A delay that issue_order would need to be told: `task` after `after`.
struct IssueDelay {
  std::uint32_t task = 0;
  std::uint32_t after = 0;
  friend bool operator==(const IssueDelay&, const IssueDelay&) = default;
};

/// Delays with which issue_order puts the tasks of each stream in the order
/// that `order` has them in. Tasks are numbered in program order; `arcs` are the conflicts;
/// `streams` gives each task's stream, `order` is a linear extension of the arcs.
std::vector<IssueDelay> delays_for(std::span<const std::uint32_t> order, std::span<const Arc> arcs,
                                   std::span<const StreamKind> streams);

}  // namespace quintet
