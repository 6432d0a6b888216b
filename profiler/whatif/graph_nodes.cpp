#include "profiler/whatif/graph_nodes.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace quintet {

SimIndex NodeMaker::add(const SimLabel& label, std::uint16_t queue, double work_ns,
                        double queue_gap_ns) {
  const auto index = static_cast<SimIndex>(model_.graph.nodes.size());
  SimNode node;
  node.work_ns = work_ns;
  node.queue = queue;
  node.queue_gap_ns = static_cast<float>(queue_gap_ns);
  model_.graph.nodes.push_back(node);
  model_.graph.order.push_back(index);
  model_.labels.push_back(label);
  return index;
}

TaskCost NodeMaker::cost_of(TaskId id) const {
  const Task& task = plan_.task(id);
  if (const TaskCost* cost = costs_.find(task.name, plan_.shape(task.shape).name)) return *cost;
  TaskCost guess;
  if (device_.memory_bytes_per_ns > 0) {
    guess.alone_ns = std::max(kUnpricedTaskNs, task.bytes / device_.memory_bytes_per_ns);
  }
  guess.sm_share = 1 / std::max(1.0, device_.multiprocessors);
  return guess;
}

SimIndex NodeMaker::add_task(const SimLabel& label, std::uint16_t queue) {
  const Task& task = plan_.task(label.task);
  const TaskCost cost = cost_of(label.task);
  if (costs_.find(task.name, plan_.shape(task.shape).name) == nullptr) {
    model_.unpriced.push_back(task.name);
  }
  const double gaps = cost.kernels > 1 ? (cost.kernels - 1) * device_.node_gap_ns : 0;
  const SimIndex index = add(label, queue, cost.alone_ns + gaps, device_.node_gap_ns);
  SimNode& node = model_.graph.nodes[index];
  node.sm_share = static_cast<float>(cost.sm_share);
  node.bandwidth_share = static_cast<float>(cost.bandwidth_share);
  kernels_ += cost.kernels;
  return index;
}

void NodeMaker::edge(SimIndex from, SimIndex to, double gap_ns) {
  model_.graph.edges.push_back({from, to, static_cast<float>(gap_ns)});
}

double NodeMaker::host_cost(TaskId id) const {
  const Task& task = plan_.task(id);
  const TaskCost* cost = costs_.find(task.name, plan_.shape(task.shape).name);
  return cost == nullptr ? 0 : cost->alone_ns;
}

namespace {

/// Adds a graph's tasks, then what orders them across streams.
class GraphAdder {
 public:
  GraphAdder(const TaskGraph& graph, NodeMaker& maker)
      : graph_(graph),
        maker_(maker),
        first_(static_cast<SimIndex>(maker.model().graph.nodes.size())),
        successors_(graph.tasks.size(), 0),
        predecessors_(graph.tasks.size(), 0) {}

  void add_tasks(const ExecutionPlan& plan, const Command& command, std::int32_t step,
                 std::uint16_t first_queue) {
    std::array<std::optional<std::size_t>, kStreamCount> last;
    for (std::size_t position = 0; position < graph_.tasks.size(); ++position) {
      const PlacedTask& placed = graph_.tasks[position];
      SimLabel label;
      label.task = placed.task;
      label.stream = placed.stream;
      label.step = step + step_offset_of(plan.task(placed.task).graph, command);
      label.graph = graph_.key;
      const std::size_t stream = index_of(placed.stream);
      at_[placed.task] = maker_.add_task(label, static_cast<std::uint16_t>(first_queue + stream));
      if (last[stream]) {
        ++successors_[*last[stream]];
        ++predecessors_[position];
      }
      last[stream] = position;
    }
  }

  void add_edges() {
    const DeviceModel& device = maker_.device();
    for (const Edge& edge : graph_.edges)
      ++predecessors_[at_.at(edge.to) - first_];
    for (const Edge& edge : graph_.edges) {
      const SimIndex from = at_.at(edge.from);
      const SimIndex to = at_.at(edge.to);
      double gap = device.node_gap_ns + device.edge_ns;
      gap += device.fan_out_ns * successors_[from - first_]++;
      if (predecessors_[to - first_] > 1) gap += device.fan_in_ns;
      if (maker_.cost_of(edge.to).fills > 0) gap += device.fill_in_ns;
      if (maker_.cost_of(edge.from).fills > 0) gap += device.fill_out_ns;
      maker_.edge(from, to, gap);
    }
    for (std::size_t position = 0; position < graph_.tasks.size(); ++position) {
      if (predecessors_[position] < 2) continue;
      maker_.model().graph.nodes[first_ + position].queue_gap_ns +=
          static_cast<float>(device.fan_in_ns);
    }
  }

  [[nodiscard]] GraphNodes nodes() const {
    return {first_, first_ + static_cast<SimIndex>(graph_.tasks.size())};
  }

 private:
  const TaskGraph& graph_;
  NodeMaker& maker_;
  SimIndex first_;
  std::map<TaskId, SimIndex> at_;
  std::vector<std::uint32_t> successors_;    ///< in stream order and by edges, by position
  std::vector<std::uint32_t> predecessors_;  ///< the same
};

}  // namespace

double launch_gap(const TaskGraph& graph, const DeviceModel& device) {
  std::set<StreamKind> streams;
  for (const PlacedTask& placed : graph.tasks)
    streams.insert(placed.stream);
  const std::size_t further = streams.empty() ? 0 : streams.size() - 1;
  return device.graph_ns + device.graph_stream_ns * static_cast<double>(further);
}

GraphNodes add_graph(const ExecutionPlan& plan, const TaskGraph& graph, const Command& command,
                     std::int32_t step, std::uint16_t first_queue, NodeMaker& maker) {
  GraphAdder adder(graph, maker);
  adder.add_tasks(plan, command, step, first_queue);
  adder.add_edges();
  return adder.nodes();
}

}  // namespace quintet
