/// A training step as a graph of tasks that have to wait for each other: what computed policies map
/// to streams.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/model/result.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/reachability.h"
#include "runtime/policy/task_weight.h"

namespace quintet {

struct DagNode {
  TaskId task;
  TaskWeight weight;
  TaskPart part = TaskPart::Y;
  std::optional<StreamKind> fixed;  ///< the only stream it may take; nothing = any compute stream
  bool optimizer = false;     ///< a task of the sub-graphs after backward: gradients to weights
  bool memory_bound = false;  ///< waits for memory rather than for arithmetic
};

/// Nodes in program order, so that every arc leads from a lower to a higher number. Arcs are the
/// conflicts that no others imply (the transitive reduction), sorted by (to, from).
class StepDag {
 public:
  /// `arcs` in any order, implied ones included.
  StepDag(std::vector<DagNode> nodes, std::vector<Arc> arcs);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] const DagNode& node(std::uint32_t at) const { return nodes_[at]; }
  [[nodiscard]] std::span<const DagNode> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Arc> arcs() const { return arcs_; }
  [[nodiscard]] std::span<const std::uint32_t> before(std::uint32_t at) const {
    return before_[at];
  }
  [[nodiscard]] std::span<const std::uint32_t> after(std::uint32_t at) const { return after_[at]; }
  [[nodiscard]] const Reachability& closure() const { return closure_; }

 private:
  void reduce(std::vector<Arc> arcs);

  std::vector<DagNode> nodes_;
  std::vector<Arc> arcs_;
  std::vector<std::vector<std::uint32_t>> before_;  ///< per node, by arcs
  std::vector<std::vector<std::uint32_t>> after_;
  Reachability closure_;
};

/// What a mapping is made for. Conflicts depend on where gradients lie: in place, dX waits for dW.
struct StepKnobs {
  GradientMode gradients = GradientMode::separate;
  StepMode step = StepMode::whole_step;
};

/// The full training step of slot A, all sub-graphs together: no stream order, no workspace, only
/// conflicts of data in program order. Copies between host and device are fixed to TRANS. Where
/// sub-graphs are launched one by one, those beside the trunk are fixed to their launch streams: a
/// launch is not ordered with others by the policy streams inside it, and so must not use their
/// workspaces. Errors: no training shape; those of build_plan.
Result<StepDag> step_dag_of(const PlanInput& input, const StepKnobs& knobs,
                            const TaskWeights& weights);

/// Longest way from each node to the end of the step, its own time included, in ns; an arc between
/// tasks costs `arc_ns` (HEFT's upward rank).
std::vector<double> upward_ranks(const StepDag& dag, double arc_ns);

}  // namespace quintet
