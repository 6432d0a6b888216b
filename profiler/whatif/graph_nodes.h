/// The nodes of one launched graph in a SimGraph, with the gaps that a captured graph has.
#pragma once

#include <cstdint>

#include "profiler/whatif/step_model.h"

namespace quintet {

/// Adds nodes to a StepModel. Plan, costs and device must outlive it.
class NodeMaker {
 public:
  NodeMaker(const ExecutionPlan& plan, const TaskCosts& costs, const DeviceModel& device)
      : plan_(plan), costs_(costs), device_(device) {}

  /// A node at the end of the issue order, contending with nobody.
  SimIndex add(const SimLabel& label, std::uint16_t queue, double work_ns, double queue_gap_ns = 0);
  /// The same for a task, priced.
  SimIndex add_task(const SimLabel& label, std::uint16_t queue);
  void edge(SimIndex from, SimIndex to, double gap_ns);

  /// The cost of a task, or what stands for it.
  [[nodiscard]] TaskCost cost_of(TaskId task) const;
  /// Of a task on a host thread, in ns; 0 where it was not recorded.
  [[nodiscard]] double host_cost(TaskId task) const;
  [[nodiscard]] std::int8_t priority_of(StreamKind stream) const;

  [[nodiscard]] StepModel& model() { return model_; }
  [[nodiscard]] const DeviceModel& device() const { return device_; }
  [[nodiscard]] std::uint32_t kernels() const { return kernels_; }  ///< added so far

 private:
  const ExecutionPlan& plan_;
  const TaskCosts& costs_;
  const DeviceModel& device_;
  StepModel model_;
  std::uint32_t kernels_ = 0;
};

/// The nodes of a graph that were added: [first, end) in issue order.
struct GraphNodes {
  SimIndex first = 0;
  SimIndex end = 0;
};

/// How a graph begins and ends.
struct GraphEnds {
  double further_roots = 0;   ///< tasks after the first that wait for none of it
  double further_leaves = 0;  ///< tasks after the first that none of it waits for
};

GraphEnds ends_of(const TaskGraph& graph);

/// What the launch of a graph costs its stream beside its tasks, in ns.
double launch_gap(const GraphEnds& ends, const DeviceModel& device);

/// Adds the tasks of a launched graph, one node each in issue order. Stream s runs in the queue
/// `first_queue` + s. `step` is the step of the program; tasks serve what the command says.
GraphNodes add_graph(const ExecutionPlan& plan, const TaskGraph& graph, const Command& command,
                     std::int32_t step, std::uint16_t first_queue, NodeMaker& maker);

}  // namespace quintet
