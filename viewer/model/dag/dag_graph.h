/// A captured graph as the Graph view shows it: tasks, or folded groups of them, and what orders them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet::viewer {

/// What an edge is: the order of a lane costs nothing, the others are an event and a wait each.
enum class DagEdgeKind : std::uint8_t { lane_order, adjacent, op_internal, conflict, manual };

inline constexpr std::size_t kDagEdgeKindCount = 5;

constexpr std::string_view name_of(DagEdgeKind kind) {
  switch (kind) {
    case DagEdgeKind::lane_order:
      return "lane order";
    case DagEdgeKind::adjacent:
      return "adjacent";
    case DagEdgeKind::op_internal:
      return "op internal";
    case DagEdgeKind::conflict:
      return "conflict";
    case DagEdgeKind::manual:
      return "manual";
  }
  return {};
}

/// A task, or a fold of several.
struct DagNode {
  std::string label;
  std::string group;  ///< what folds and unfolds it; the same for all that fold together
  bool folded = false;
  std::vector<std::uint32_t> tasks;  ///< indices into Trace::tasks, in issue order; never empty
  std::optional<LaneId> lane;        ///< of all its tasks; nothing: on several, or on none
  std::uint32_t surplus = 0;         ///< edges within the fold that order nothing that conflicts
};

struct DagEdge {
  std::uint32_t from = 0;  ///< indices into DagGraph::nodes
  std::uint32_t to = 0;
  DagEdgeKind kind = DagEdgeKind::lane_order;
  std::uint32_t count = 1;  ///< edges between tasks that it stands for
  bool surplus = false;     ///< one of them orders nothing that conflicts
  std::string reason;       ///< of the first of them
};

/// A pair of tasks that conflict and that nothing orders.
struct DagRace {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::string text;
};

struct DagGraph {
  std::string name;
  std::vector<DagNode> nodes;  ///< in the issue order of their first tasks
  std::vector<DagEdge> edges;  ///< none from a node to itself
  std::vector<DagRace> races;
  std::size_t tasks = 0;
  /// The node that holds the task; nothing: none does.
  [[nodiscard]] std::optional<std::uint32_t> node_of(std::uint32_t task) const;
};

/// Pairs of tasks by name that a proof has something to say about.
struct DagMarks {
  std::set<std::pair<std::string, std::string>> surplus;
  std::vector<std::pair<std::pair<std::string, std::string>, std::string>> races;  ///< with a text
};

/// What a task folds into: its sub-graph where the graph holds several, its layer or the block that
/// its layer is in, and whether it runs forwards or backwards, which keeps most folds from going
/// round in circles.
std::string group_of(const Trace& trace, std::uint32_t task, bool several_parts);

/// The graph of that index with the groups of `unfolded` as single tasks and all others folded. A
/// group of one task is never folded.
DagGraph dag_graph(const Trace& trace, std::size_t graph, const std::set<std::string>& unfolded,
                   const DagMarks& marks);

/// Every group of a graph, in issue order.
std::vector<std::string> groups_of(const Trace& trace, std::size_t graph);

/// The captured graph with the most tasks; nothing where none has any.
std::optional<std::size_t> largest_graph(const Trace& trace);
/// A graph that holds the task, the one that holds the fewest others; nothing where none does.
std::optional<std::size_t> graph_with(const Trace& trace, std::uint32_t task);

}  // namespace quintet::viewer
