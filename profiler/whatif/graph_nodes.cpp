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
  node.block_ns = static_cast<float>(cost.alone_ns * cost.block_share);
  node.priority = priority_of(label.stream);
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

std::int8_t NodeMaker::priority_of(StreamKind stream) const {
  return sim_priority(plan_.lanes[lane_of(stream).value()].priority);
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
        predecessors_(graph.tasks.size(), 0),
        before_in_stream_(graph.tasks.size(), kNone),
        root_of_(graph.tasks.size(), 0),
        joins_roots_(graph.tasks.size(), false) {}

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
        before_in_stream_[position] = *last[stream];
      }
      last[stream] = position;
    }
  }

  void add_edges() {
    const DeviceModel& device = maker_.device();
    for (const Edge& edge : graph_.edges)
      ++predecessors_[at_.at(edge.to) - first_];
    find_roots();
    for (const Edge& edge : graph_.edges) {
      const SimIndex from = at_.at(edge.from);
      const SimIndex to = at_.at(edge.to);
      double gap = device.node_gap_ns + device.edge_ns;
      gap += device.fan_out_ns * successors_[from - first_]++;
      if (predecessors_[to - first_] > 1) gap += device.fan_in_ns;
      if (maker_.cost_of(edge.to).fills > 0) gap += device.fill_in_ns;
      if (maker_.cost_of(edge.from).fills > 0) gap += device.fill_out_ns;
      if (joins_roots_[to - first_]) gap += device.root_join_ns;
      maker_.edge(from, to, gap);
    }
    for (std::size_t position = 0; position < graph_.tasks.size(); ++position) {
      SimNode& node = maker_.model().graph.nodes[first_ + position];
      if (predecessors_[position] > 1) node.queue_gap_ns += static_cast<float>(device.fan_in_ns);
      if (joins_roots_[position]) node.queue_gap_ns += static_cast<float>(device.root_join_ns);
    }
  }

  [[nodiscard]] GraphNodes nodes() const {
    return {first_, first_ + static_cast<SimIndex>(graph_.tasks.size())};
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Which root leads to each task by the longest path (of two the first), and where another one's
  /// work is waited for. Edges go forward in issue order.
  void find_roots() {
    std::vector<std::vector<std::size_t>> before(graph_.tasks.size());
    for (const Edge& edge : graph_.edges)
      before[at_.at(edge.to) - first_].push_back(at_.at(edge.from) - first_);
    std::vector<std::uint32_t> depth(graph_.tasks.size(), 0);
    for (std::size_t position = 0; position < graph_.tasks.size(); ++position) {
      root_of_[position] = position;
      if (before_in_stream_[position] != kNone)
        before[position].push_back(before_in_stream_[position]);
      for (const std::size_t each : before[position]) {
        const bool longer = depth[each] + 1 > depth[position];
        if (!longer && (depth[each] + 1 < depth[position] || root_of_[each] > root_of_[position])) {
          continue;
        }
        depth[position] = depth[each] + 1;
        root_of_[position] = root_of_[each];
      }
      joins_roots_[position] =
          std::any_of(before[position].begin(), before[position].end(),
                      [&](std::size_t each) { return root_of_[each] != root_of_[position]; });
    }
  }

  const TaskGraph& graph_;
  NodeMaker& maker_;
  SimIndex first_;
  std::map<TaskId, SimIndex> at_;
  std::vector<std::uint32_t> successors_;    ///< in stream order and by edges, by position
  std::vector<std::uint32_t> predecessors_;  ///< the same
  std::vector<std::size_t> before_in_stream_;
  std::vector<std::size_t> root_of_;  ///< by position, that of the root
  std::vector<bool> joins_roots_;
};

}  // namespace

GraphEnds ends_of(const TaskGraph& graph) {
  std::set<TaskId> waiting;
  std::set<TaskId> awaited;
  for (const Edge& edge : graph.edges) {
    waiting.insert(edge.to);
    awaited.insert(edge.from);
  }
  std::map<StreamKind, TaskId> last;
  std::size_t roots = 0;
  for (const PlacedTask& placed : graph.tasks) {
    const bool first = last.insert_or_assign(placed.stream, placed.task).second;
    if (first && waiting.count(placed.task) == 0) ++roots;
  }
  const auto leaves =
      static_cast<std::size_t>(std::count_if(last.begin(), last.end(), [&](const auto& of_stream) {
        return awaited.count(of_stream.second) == 0;
      }));
  const auto further = [](std::size_t count) {
    return count > 0 ? static_cast<double>(count - 1) : 0;
  };
  return {further(roots), further(leaves)};
}

double launch_gap(const GraphEnds& ends, const DeviceModel& device) {
  return device.graph_ns + device.graph_root_ns * ends.further_roots +
         device.graph_leaf_ns * ends.further_leaves;
}

GraphNodes add_graph(const ExecutionPlan& plan, const TaskGraph& graph, const Command& command,
                     std::int32_t step, std::uint16_t first_queue, NodeMaker& maker) {
  GraphAdder adder(graph, maker);
  adder.add_tasks(plan, command, step, first_queue);
  adder.add_edges();
  return adder.nodes();
}

}  // namespace quintet
