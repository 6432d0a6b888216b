#include "profiler/import/graph_node_counts.h"

#include <algorithm>

#include "profiler/import/index_table.h"

namespace quintet {

std::size_t GraphNodeCounts::NodeHash::operator()(const Node& node) const {
  return mix_hash(node.scope, node.id);
}

std::uint32_t GraphNodeCounts::root_of(std::uint32_t graph) {
  while (parent_[graph] != graph) {
    parent_[graph] = parent_[parent_[graph]];
    graph = parent_[graph];
  }
  return graph;
}

void GraphNodeCounts::add(std::uint32_t call, std::int64_t call_begin_ns, std::uint32_t scope,
                          std::uint64_t node) {
  const auto fresh = static_cast<std::uint32_t>(parent_.size());
  const auto [launch, first_work] =
      launches_.try_emplace(call, Launch{fresh, node, 0, call_begin_ns});
  if (first_work) parent_.push_back(fresh);
  const auto [seen, first_run] =
      nodes_.try_emplace(Node{scope, node}, Seen{launch->second.graph, call});
  if (!first_run) parent_[root_of(launch->second.graph)] = root_of(seen->second.graph);
  if (first_run || seen->second.call != call) ++launch->second.nodes;
  seen->second.call = call;
}

std::int64_t GraphNodeCounts::launches_with_fewer() {
  std::vector<const Launch*> in_order;
  for (const auto& [call, launch] : launches_)
    in_order.push_back(&launch);
  std::sort(in_order.begin(), in_order.end(),
            [](const Launch* a, const Launch* b) { return a->begin_ns < b->begin_ns; });
  std::unordered_map<std::uint32_t, std::int64_t> most;
  std::int64_t fewer = 0;
  for (const Launch* launch : in_order) {
    std::int64_t& nodes = most[root_of(launch->graph)];
    fewer += launch->nodes < nodes ? 1 : 0;
    nodes = std::max(nodes, launch->nodes);
  }
  return fewer;
}

}  // namespace quintet
