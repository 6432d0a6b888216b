/// Where the nodes of a graph lie: by Graphviz, or by our own placement of issue order and lanes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/dag/dag_graph.h"

namespace quintet::viewer {

struct DagPoint {
  float x = 0;
  float y = 0;
};

/// Centre and size, in units of the screen at scale 1.
struct DagBox {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
};

enum class DagEngine : std::uint8_t {
  lanes,     ///< our own: lanes from top to bottom, what may run at once below each other
  graphviz,  ///< Graphviz's dot, from left to right
};

struct DagLayout {
  DagEngine engine = DagEngine::lanes;
  std::string why_not_graphviz;              ///< where it was asked for and not used
  std::vector<DagBox> boxes;                 ///< by node
  std::vector<std::vector<DagPoint>> paths;  ///< by edge: a cubic spline's points, or two ends
  float width = 0;
  float height = 0;
};

/// More nodes than this Graphviz is not asked to lay out: its time grows with their square.
inline constexpr std::size_t kMostGraphvizNodes = 700;

/// Lanes by their index; a node without one lies below all. A node lies right of everything that
/// must come before it and of what its lane does before. Time: nodes + edges.
DagLayout lane_layout(const DagGraph& graph);

/// `wanted` where it can be had, else lane_layout() and the reason. `cancelled` is asked before and
/// after Graphviz, which cannot be stopped within; a cancelled layout is empty.
DagLayout dag_layout(const DagGraph& graph, DagEngine wanted,
                     const std::function<bool()>& cancelled);

/// The node whose box holds the point; nothing: none does.
std::optional<std::uint32_t> node_at(const DagLayout& layout, DagPoint point);

}  // namespace quintet::viewer
