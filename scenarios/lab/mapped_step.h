/// A training step of one graph as the simulator takes it, for a search: streams and order change in
/// place, nothing is planned anew.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "profiler/whatif/cost_model.h"
#include "profiler/whatif/simulator.h"
#include "runtime/policy/step_dag.h"
#include "runtime/policy/step_mapping.h"
#include "scenarios/lab/replanner.h"

namespace quintet {

/// A task in the simulator, whatever its stream.
struct MappedTask {
  double work_ns = 0;
  float sm_share = 0;
  float bandwidth_share = 0;
  float block_ns = 0;  ///< SimNode::block_ns
  bool fills = false;  ///< it holds a fill or a copy
  std::uint64_t workspace_bytes = 0;
};

/// What a step takes besides its tasks.
struct StepFrame {
  double between_steps_ns =
      0;                     ///< of one root and one leaf: DeviceModel says what further ones add
  double least_step_ns = 0;  ///< what the host needs to issue a step
  double correction = 1;     ///< CostModel::correction
};

/// Owns the graph of conflicts and the simulator's scratch: one thread. No allocation after the first
/// call. A mapping's order counts stream by stream; tasks are issued as issue_order() would issue
/// them, and the waits are those that plan_sync() keeps under `dataflow`. So step_ns() is what
/// predict_step() says of the policy made from it, in `whole_step`.
class MappedStep {
 public:
  MappedStep(StepDag dag, std::vector<MappedTask> tasks, const DeviceModel& device,
             const StepFrame& frame);

  /// Errors: a scenario with micro-batches, whose step is no single graph; those of step_dag_of()
  /// and step_model_of().
  static Result<MappedStep> of(const Replanner& run, const CostModel& costs,
                               GradientMode gradients);

  [[nodiscard]] const StepDag& dag() const { return dag_; }
  [[nodiscard]] std::span<const MappedTask> tasks() const { return tasks_; }
  [[nodiscard]] const DeviceModel& device() const { return device_; }
  [[nodiscard]] const StepFrame& frame() const { return frame_; }

  /// Predicted step time; reasons do not matter. Infinite where the orders of the streams and the
  /// arcs are a circle.
  double step_ns(const StepMapping& mapping);
  /// The same, and when each node runs, from the begin of the step.
  double step_ns(const StepMapping& mapping, SimTimes& times);
  /// The order of issue of the last call: a linear extension of the arcs and the streams' orders.
  [[nodiscard]] std::span<const std::uint32_t> issue_order() const { return graph_.order; }
  /// Scratch of all streams: each holds the most that one of its tasks wants.
  [[nodiscard]] std::uint64_t workspace_bytes(std::span<const StreamKind> streams) const;

 private:
  /// How many tasks of each stream have ended by then.
  using Clock = std::array<std::uint32_t, kStreamCount>;

  bool issue(std::span<const StreamKind> streams, std::span<const std::uint32_t> order);
  void connect(const StepMapping& mapping);
  void connect_node(std::uint32_t node, std::span<const StreamKind> streams);
  void find_root(std::uint32_t node, std::size_t first_kept, std::uint32_t on_stream);
  void add_edges(const StepMapping& mapping);
  /// What the step takes besides its tasks for roots and leaves after the first, in ns.
  [[nodiscard]] double frame_beside_first(std::span<const StreamKind> streams) const;
  double predict(const StepMapping& mapping, SimTimes* times);

  StepDag dag_;
  std::vector<MappedTask> tasks_;
  DeviceModel device_;
  StepFrame frame_;
  Simulator simulator_;
  SimGraph graph_;
  std::vector<SimEdge> kept_;         ///< in issue order of `to`
  std::vector<std::uint32_t> place_;  ///< of each node in issue order
  std::vector<std::uint32_t> rank_;   ///< of each node on its stream
  std::vector<Clock> begin_clock_;
  std::vector<std::uint32_t> successors_;
  std::vector<std::uint32_t> predecessors_;
  std::vector<std::uint32_t> depth_;  ///< nodes before it on the longest path
  std::vector<std::uint32_t> root_;   ///< its root on that path, by place
  std::vector<char> joins_roots_;     ///< whether it waits for work of several
  std::vector<std::uint32_t> candidates_;
  std::vector<std::uint32_t> held_by_;
  std::array<std::vector<std::uint32_t>, kStreamCount> lanes_;  ///< tasks of each stream, in order
  std::array<std::uint32_t, kStreamCount> on_stream_{};
  std::array<std::uint32_t, kStreamCount> last_on_{};
};

/// Weights for computed policies from what a recording tells. Tasks that no cost is known of are
/// estimated.
TaskWeights weights_of(const PlanInput& input, const CostModel& costs);

/// The mapping that a plan has in its whole step. `dag` of the same run. Error: it captures no whole
/// step of just these tasks.
Result<StepMapping> mapping_of(const ExecutionPlan& plan, const StepDag& dag);

}  // namespace quintet
