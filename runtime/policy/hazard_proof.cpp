#include "runtime/policy/hazard_proof.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <fmt/format.h>
#include <span>
#include <tuple>
#include <utility>

#include "runtime/policy/reachability.h"
#include "runtime/policy/surplus_edges.h"
#include "runtime/policy/task_conflicts.h"

namespace quintet {

namespace {

using NodeIndex = std::uint32_t;

std::string lane_name(LaneId lane) {
  const std::size_t index = lane.value();
  if (index < kStreamCount) return std::string(name_of(kStreamKinds[index]));
  return std::string(name_of(static_cast<HostActor>(index - kStreamCount)));
}

/// Says which order is missing between two runs, in words that point at the place to add it.
class CureWriter {
 public:
  CureWriter(const ExecutionPlan& plan, const OrderGraph& order) : plan_(plan), order_(order) {}

  std::string cure(const OrderNode& earlier, const OrderNode& later) const {
    const std::string& first = plan_.task(*earlier.task).name;
    const std::string& second = plan_.task(*later.task).name;
    if (earlier.launch != kNoLaunch && earlier.launch == later.launch) {
      if (earlier.lane == later.lane) {
        return fmt::format("issue {} before {} on {}", first, second, lane_name(later.lane));
      }
      return fmt::format("let {} ({}) wait for {} ({})", second, lane_name(later.lane), first,
                         lane_name(earlier.lane));
    }
    const std::string before = text_of(earlier);
    const std::string after = text_of(later);
    if (lane_of_command(earlier) == lane_of_command(later)) {
      return fmt::format("let {} come before {} on {}", before, after,
                         lane_name(lane_of_command(later)));
    }
    return fmt::format("let {} wait, before {}, for an event that is recorded {} {} after {}",
                       waiter(earlier, later), after, earlier.launch == kNoLaunch ? "by" : "on",
                       lane_name(lane_of_command(earlier)), before);
  }

 private:
  /// "launch TRANSFER_A of step 1", "HOST_FILL_A for step 2".
  std::string text_of(const OrderNode& node) const {
    if (node.launch == kNoLaunch) {
      return fmt::format("{} for step {}", plan_.name(node.graph), node.step);
    }
    return fmt::format("launch {} of step {}", plan_.name(node.graph),
                       order_.launches[node.launch].step);
  }
  LaneId lane_of_command(const OrderNode& node) const {
    return node.launch == kNoLaunch ? node.lane
                                    : quintet::lane_of(order_.launches[node.launch].stream);
  }
  /// A stream waits for another; for what a host actor did, MAIN must wait before it launches.
  std::string waiter(const OrderNode& earlier, const OrderNode& later) const {
    if (earlier.launch == kNoLaunch && later.launch != kNoLaunch) {
      return std::string(name_of(HostActor::MAIN));
    }
    return lane_name(lane_of_command(later));
  }

  const ExecutionPlan& plan_;
  const OrderGraph& order_;
};

/// Walks all conflicting pairs of runs and keeps those that are not ordered as program order wants.
class Prover {
 public:
  Prover(const ExecutionPlan& plan, const OrderGraph& order, const Reachability& closure)
      : plan_(plan),
        order_(order),
        closure_(closure),
        runs_(plan.tasks.size()),
        group_(plan.tasks.size()) {
    for (NodeIndex node = 0; node < order.nodes.size(); ++node) {
      const OrderNode& run = order.nodes[node];
      if (!run.task) continue;
      runs_[run.task->value()].push_back({node, run.step});
      ++report_.task_runs;
    }
  }

  /// True where all runs of each group follow each other in one chain: then any two are ordered.
  bool in_turn(const std::vector<std::vector<std::uint32_t>>& groups) const {
    return std::all_of(groups.begin(), groups.end(), [&](const auto& group) {
      const std::vector<NodeIndex> users = nodes_of(group);
      return std::adjacent_find(users.begin(), users.end(), [&](NodeIndex a, NodeIndex b) {
               return !closure_.reaches(a, b);
             }) == users.end();
    });
  }

  /// The groups, if any, must be in turn.
  ProofReport prove(const TaskConflicts& conflicts) {
    for (std::size_t group = 0; group < conflicts.scratch_groups.size(); ++group) {
      const std::uint64_t users = nodes_of(conflicts.scratch_groups[group]).size();
      if (users > 0) report_.conflicting_pairs += users * (users - 1) / 2;
      for (const std::uint32_t task : conflicts.scratch_groups[group])
        group_[task] = group + 1;
    }
    report_.ordered_pairs = report_.conflicting_pairs;
    for (const TaskConflict& conflict : conflicts.pairs)
      check(conflict);
    std::sort(report_.races.begin(), report_.races.end(), [](const Race& a, const Race& b) {
      return std::tie(a.earlier_step, a.earlier, a.later_step, a.later) <
             std::tie(b.earlier_step, b.earlier, b.later_step, b.later);
    });
    return std::move(report_);
  }

 private:
  struct Run {
    NodeIndex node = 0;
    std::int64_t step = 0;
  };

  std::vector<NodeIndex> nodes_of(std::span<const std::uint32_t> tasks) const {
    std::vector<NodeIndex> nodes;
    for (const std::uint32_t task : tasks) {
      for (const Run& run : runs_[task])
        nodes.push_back(run.node);
    }
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }

  void check(const TaskConflict& conflict) {
    reported_.clear();
    in_group_ = group_[conflict.first] != 0 && group_[conflict.first] == group_[conflict.second];
    const std::vector<Run>& first = runs_[conflict.first];
    const std::vector<Run>& second = runs_[conflict.second];
    for (std::size_t index = 0; index < second.size(); ++index) {
      const std::size_t count = conflict.first == conflict.second ? index : first.size();
      for (std::size_t other = 0; other < count; ++other) {
        // On one step the lower TaskId is the earlier, and that is the first of the pair.
        if (first[other].step <= second[index].step) {
          check(first[other], second[index], conflict.either_order);
        } else {
          check(second[index], first[other], conflict.either_order);
        }
      }
    }
  }

  void check(const Run& earlier, const Run& later, bool either_order) {
    const bool ordered = closure_.reaches(earlier.node, later.node) ||
                         (either_order && closure_.reaches(later.node, earlier.node));
    // Pairs of a group are counted already, as ordered.
    if (!in_group_) {
      ++report_.conflicting_pairs;
      ++report_.ordered_pairs;
    }
    if (ordered) return;
    --report_.ordered_pairs;
    const OrderNode& first = order_.nodes[earlier.node];
    const std::pair once(*first.task, later.step - earlier.step);
    if (std::find(reported_.begin(), reported_.end(), once) != reported_.end()) return;
    reported_.push_back(once);
    add_race(first, order_.nodes[later.node], closure_.reaches(later.node, earlier.node));
  }

  void add_race(const OrderNode& earlier, const OrderNode& later, bool reversed) {
    const ConflictBytes how =
        conflict_bytes(plan_.accesses[earlier.task->value()], plan_.accesses[later.task->value()]);
    Race race;
    race.earlier = *earlier.task;
    race.later = *later.task;
    race.earlier_step = earlier.step;
    race.later_step = later.step;
    race.reversed = reversed;
    race.bytes = how.bytes;
    race.earlier_mode = how.first_mode;
    race.later_mode = how.second_mode;
    race.text = fmt::format("{} {} {} that {} {}, and {}", earlier.label, verb_of(how.first_mode),
                            text_of(how.bytes, plan_.memory.regions()), later.label,
                            verb_of(how.second_mode),
                            reversed ? "they run in the wrong order" : "nothing orders them");
    race.cure = CureWriter(plan_, order_).cure(earlier, later);
    report_.races.push_back(std::move(race));
  }

  const ExecutionPlan& plan_;
  const OrderGraph& order_;
  const Reachability& closure_;
  std::vector<std::vector<Run>> runs_;  ///< per task, in the order of nodes
  std::vector<std::pair<TaskId, std::int64_t>>
      reported_;                    ///< of the pair at hand: (earlier task, step distance)
  std::vector<std::size_t> group_;  ///< per task, its scratch group counted from 1; 0 = none
  bool in_group_ = false;           ///< of the pair at hand: both in one group
  ProofReport report_;
};

Reachability closure_of(const OrderGraph& order) {
  std::vector<Arc> arcs;
  arcs.reserve(order.edges.size());
  for (const OrderEdge& edge : order.edges)
    arcs.push_back({edge.from, edge.to});
  return Reachability(order.nodes.size(), arcs);
}

}  // namespace

Result<ProofReport> prove(const ExecutionPlan& plan, const StepSequence& sequence) {
  assert(plan.accesses.size() == plan.tasks.size());
  const auto start = std::chrono::steady_clock::now();
  const Result<OrderGraph> order = unroll(plan, sequence);
  if (!order) return tl::unexpected<Error>(order.error());
  const Reachability closure = closure_of(*order);
  const std::vector<std::span<const Access>> accesses(plan.accesses.begin(), plan.accesses.end());
  Prover prover(plan, *order, closure);
  TaskConflicts conflicts = find_conflicts(accesses, ScratchPairs::grouped);
  if (!prover.in_turn(conflicts.scratch_groups)) conflicts = find_conflicts(accesses);
  ProofReport report = prover.prove(conflicts);
  for (const auto& [key, graph] : plan.graphs) {
    report.edges += graph.edges.size();
    for (SurplusEdge& edge : find_surplus_edges(plan, graph, conflicts))
      report.surplus.push_back(std::move(edge));
  }
  std::sort(report.surplus.begin(), report.surplus.end(),
            [](const SurplusEdge& a, const SurplusEdge& b) {
              return std::tie(a.graph, a.from, a.to) < std::tie(b.graph, b.from, b.to);
            });
  report.elapsed_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start)
          .count();
  return report;
}

Result<ProofReport> prove(const ExecutionPlan& plan) {
  return prove(plan, proof_sequence(plan));
}

}  // namespace quintet
