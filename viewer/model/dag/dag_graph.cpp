#include "viewer/model/dag/dag_graph.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace quintet::viewer {

namespace {

bool runs_backwards(const TraceTask& task) {
  return task.op_kind.find("_BWD") != std::string::npos;
}

/// "stage1/2" of "stage1/2/3/bn": a layer inside a block folds with the block.
std::string_view block_of(std::string_view layer) {
  const std::size_t first = layer.find('/');
  return first == std::string_view::npos ? layer : layer.substr(0, layer.find('/', first + 1));
}

bool holds_several_parts(const Trace& trace, const TraceGraph& graph) {
  return std::any_of(graph.tasks.begin(), graph.tasks.end(), [&](std::uint32_t task) {
    return trace.tasks[task].graph != trace.tasks[graph.tasks.front()].graph;
  });
}

DagEdgeKind kind_of(const std::string& rule) {
  if (rule == "adjacent") return DagEdgeKind::adjacent;
  if (rule == "op_internal") return DagEdgeKind::op_internal;
  if (rule == "manual") return DagEdgeKind::manual;
  return DagEdgeKind::conflict;
}

class DagBuilder {
 public:
  DagBuilder(const Trace& trace, std::size_t graph, const DagMarks& marks)
      : trace_(trace), graph_(trace.graphs[graph]), marks_(marks) {
    dag_.name = graph_.name;
    dag_.tasks = graph_.tasks.size();
  }

  DagGraph build(const std::set<std::string>& unfolded) {
    add_nodes(unfolded);
    add_lane_order();
    for (const TraceEdge& edge : graph_.edges)
      add_edge(edge.from, edge.to, kind_of(edge.rule), edge.reason);
    add_races();
    for (auto& [key, edge] : edges_)
      dag_.edges.push_back(std::move(edge));
    return std::move(dag_);
  }

 private:
  void add_nodes(const std::set<std::string>& unfolded) {
    const bool several = !graph_.tasks.empty() && holds_several_parts(trace_, graph_);
    std::map<std::string, std::vector<std::uint32_t>> groups;
    std::vector<std::string> group_names;
    for (const std::uint32_t task : graph_.tasks) {
      group_names.push_back(group_of(trace_, task, several));
      groups[group_names.back()].push_back(task);
    }
    std::map<std::string, std::uint32_t> folded;
    for (std::size_t at = 0; at < graph_.tasks.size(); ++at) {
      const std::uint32_t task = graph_.tasks[at];
      const std::string& group = group_names[at];
      const bool alone = groups[group].size() == 1 || unfolded.contains(group);
      if (alone) {
        node_of_[task] = add_node({trace_.tasks[task].name, group, false, {task}, {}});
        continue;
      }
      const auto [found, fresh] = folded.try_emplace(group, 0);
      if (fresh) {
        found->second = add_node(
            {fmt::format("{} ({})", group, groups[group].size()), group, true, groups[group], {}});
      }
      node_of_[task] = found->second;
    }
  }
  std::uint32_t add_node(DagNode node) {
    node.lane = trace_.tasks[node.tasks.front()].policy_lane;
    for (const std::uint32_t task : node.tasks) {
      if (trace_.tasks[task].policy_lane != node.lane) node.lane.reset();
    }
    dag_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(dag_.nodes.size() - 1);
  }

  void add_lane_order() {
    std::map<std::uint32_t, std::uint32_t> last;
    for (const std::uint32_t task : graph_.tasks) {
      const auto& lane = trace_.tasks[task].policy_lane;
      if (!lane) continue;
      if (const auto before = last.find(lane->value()); before != last.end()) {
        add_edge(before->second, task, DagEdgeKind::lane_order, {});
      }
      last[lane->value()] = task;
    }
  }

  void add_edge(std::uint32_t from, std::uint32_t to, DagEdgeKind kind, const std::string& reason) {
    const auto first = node_of_.find(from);
    const auto second = node_of_.find(to);
    if (first == node_of_.end() || second == node_of_.end()) return;
    const bool surplus = kind != DagEdgeKind::lane_order &&
                         marks_.surplus.contains({trace_.tasks[from].name, trace_.tasks[to].name});
    if (first->second == second->second) {
      if (surplus) ++dag_.nodes[first->second].surplus;
      return;
    }
    const auto [found, fresh] =
        edges_.try_emplace(std::tuple(first->second, second->second, kind),
                           DagEdge{first->second, second->second, kind, 0, false, reason});
    ++found->second.count;
    if (surplus) found->second.surplus = true;
  }

  void add_races() {
    std::unordered_map<std::string_view, std::uint32_t> by_name;
    for (const auto& [task, node] : node_of_)
      by_name.emplace(trace_.tasks[task].name, node);
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const auto& [pair, text] : marks_.races) {
      const auto first = by_name.find(pair.first);
      const auto second = by_name.find(pair.second);
      if (first == by_name.end() || second == by_name.end()) continue;
      if (seen.emplace(first->second, second->second).second) {
        dag_.races.push_back({first->second, second->second, text});
      }
    }
  }

  const Trace& trace_;
  const TraceGraph& graph_;
  const DagMarks& marks_;
  DagGraph dag_;
  std::unordered_map<std::uint32_t, std::uint32_t> node_of_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, DagEdgeKind>, DagEdge> edges_;
};

}  // namespace

std::optional<std::uint32_t> DagGraph::node_of(std::uint32_t task) const {
  for (std::uint32_t node = 0; node < nodes.size(); ++node) {
    const std::vector<std::uint32_t>& tasks_of = nodes[node].tasks;
    if (std::find(tasks_of.begin(), tasks_of.end(), task) != tasks_of.end()) return node;
  }
  return std::nullopt;
}

std::string group_of(const Trace& trace, std::uint32_t task, bool several_parts) {
  const TraceTask& row = trace.tasks[task];
  std::string group(row.layer.empty() ? std::string_view(row.op_kind) : block_of(row.layer));
  if (runs_backwards(row)) group += " bwd";
  return several_parts ? fmt::format("{}: {}", row.graph, group) : group;
}

DagGraph dag_graph(const Trace& trace, std::size_t graph, const std::set<std::string>& unfolded,
                   const DagMarks& marks) {
  return DagBuilder(trace, graph, marks).build(unfolded);
}

std::vector<std::string> groups_of(const Trace& trace, std::size_t graph) {
  const TraceGraph& row = trace.graphs[graph];
  std::vector<std::string> groups;
  std::set<std::string> seen;
  if (row.tasks.empty()) return groups;
  const bool several = holds_several_parts(trace, row);
  for (const std::uint32_t task : row.tasks) {
    std::string group = group_of(trace, task, several);
    if (seen.insert(group).second) groups.push_back(std::move(group));
  }
  return groups;
}

std::optional<std::size_t> largest_graph(const Trace& trace) {
  std::optional<std::size_t> largest;
  for (std::size_t graph = 0; graph < trace.graphs.size(); ++graph) {
    const std::size_t tasks = trace.graphs[graph].tasks.size();
    if (tasks > 0 && (!largest || tasks > trace.graphs[*largest].tasks.size())) largest = graph;
  }
  return largest;
}

std::optional<std::size_t> graph_with(const Trace& trace, std::uint32_t task) {
  std::optional<std::size_t> found;
  for (std::size_t graph = 0; graph < trace.graphs.size(); ++graph) {
    const std::vector<std::uint32_t>& tasks = trace.graphs[graph].tasks;
    if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) continue;
    if (!found || tasks.size() < trace.graphs[*found].tasks.size()) found = graph;
  }
  return found;
}

}  // namespace quintet::viewer
