#include "viewer/model/dag/dag_layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <sstream>

#include "profiler/report/graphviz_drawing.h"

namespace quintet::viewer {

namespace {

constexpr float kNodeHeight = 22;
constexpr float kFoldHeight = 30;
constexpr float kGapX = 34;
constexpr float kLaneHeight = 44;
constexpr float kInch = 72;  ///< units that Graphviz's positions are scaled by

float width_of(const DagNode& node) {
  // About what the small face takes; long names are cut when they are painted.
  return std::clamp(12.0F + 6.2F * static_cast<float>(node.label.size()), 60.0F, 190.0F);
}

DagBox box_of(const DagNode& node) {
  return {0, 0, width_of(node), node.folded ? kFoldHeight : kNodeHeight};
}

void add_straight_paths(const DagGraph& graph, DagLayout& layout) {
  for (const DagEdge& edge : graph.edges) {
    const DagBox& from = layout.boxes[edge.from];
    const DagBox& to = layout.boxes[edge.to];
    layout.paths.push_back({{from.x + from.width / 2, from.y}, {to.x - to.width / 2, to.y}});
  }
}

/// Node by node in issue order: each as far left as its lane and those before it allow. Folds may
/// depend on each other both ways; only edges from earlier nodes count.
class LanePlacer {
 public:
  explicit LanePlacer(const DagGraph& graph) : graph_(graph), before_(graph.nodes.size()) {
    for (const DagEdge& edge : graph.edges) {
      if (edge.from < edge.to) before_[edge.to].push_back(edge.from);
    }
  }

  DagLayout place() {
    DagLayout layout;
    std::map<std::uint32_t, float> lane_end;  ///< right edge of each row
    for (std::uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      DagBox box = box_of(graph_.nodes[node]);
      const std::uint32_t row = row_of(graph_.nodes[node]);
      float left = lane_end.contains(row) ? lane_end[row] + kGapX / 2 : 0;
      for (const std::uint32_t previous : before_[node]) {
        const DagBox& other = layout.boxes[previous];
        left = std::max(left, other.x + other.width / 2 + kGapX);
      }
      box.x = left + box.width / 2;
      box.y = kLaneHeight * (static_cast<float>(row) + 0.5F);
      lane_end[row] = left + box.width;
      layout.width = std::max(layout.width, left + box.width);
      layout.height = std::max(layout.height, box.y + kLaneHeight / 2);
      layout.boxes.push_back(box);
    }
    add_straight_paths(graph_, layout);
    return layout;
  }

 private:
  [[nodiscard]] std::uint32_t row_of(const DagNode& node) const {
    if (node.lane) return node.lane->value();
    std::uint32_t below = 0;
    for (const DagNode& other : graph_.nodes) {
      if (other.lane) below = std::max(below, other.lane->value() + 1);
    }
    return below;
  }

  const DagGraph& graph_;
  std::vector<std::vector<std::uint32_t>> before_;
};

/// Sizes and edges alone: labels are the screen's affair.
std::string dot_of(const DagGraph& graph) {
  std::string dot =
      "digraph g {\n  graph [rankdir=LR, nodesep=0.15, ranksep=0.35, splines=true];\n"
      "  node [shape=box, fixedsize=true, label=\"\"];\n";
  for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
    const DagBox box = box_of(graph.nodes[node]);
    dot += fmt::format("  n{} [width={:.3f}, height={:.3f}];\n", node, box.width / kInch,
                       box.height / kInch);
  }
  for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
    const DagEdge& row = graph.edges[edge];
    dot += fmt::format("  n{} -> n{} [weight={}, label=\"\", style=e{}];\n", row.from, row.to,
                       row.kind == DagEdgeKind::lane_order ? 4 : 1, edge);
  }
  return dot + "}\n";
}

/// Reads Graphviz's "plain" format: positions in inches, y upwards.
class PlainReader {
 public:
  PlainReader(const DagGraph& graph, const std::string& plain) : graph_(graph), lines_(plain) {}

  std::optional<DagLayout> read() {
    layout_.engine = DagEngine::graphviz;
    layout_.boxes.resize(graph_.nodes.size());
    layout_.paths.resize(graph_.edges.size());
    std::string word;
    std::string line;
    while (std::getline(lines_, line)) {
      std::istringstream words(line);
      words >> word;
      if (word == "graph") read_graph(words);
      if (word == "node" && !read_node(words)) return std::nullopt;
      if (word == "edge" && !read_edge(words)) return std::nullopt;
    }
    if (nodes_ != graph_.nodes.size()) return std::nullopt;
    return std::move(layout_);
  }

 private:
  void read_graph(std::istringstream& words) {
    float scale = 1;
    words >> scale >> layout_.width >> layout_.height;
    layout_.width *= kInch;
    layout_.height *= kInch;
  }
  [[nodiscard]] DagPoint point(float x, float y) const {
    return {x * kInch, layout_.height - y * kInch};
  }
  static std::optional<std::size_t> number_of(const std::string& name, std::size_t count) {
    std::size_t number = 0;
    for (const char digit : name.substr(name.empty() ? 0 : 1)) {
      if (digit < '0' || digit > '9') return std::nullopt;
      number = number * 10 + static_cast<std::size_t>(digit - '0');
    }
    if (name.size() < 2 || number >= count) return std::nullopt;
    return number;
  }
  bool read_node(std::istringstream& words) {
    std::string name;
    float x = 0;
    float y = 0;
    words >> name >> x >> y;
    const auto node = number_of(name, graph_.nodes.size());
    if (!node || words.fail()) return false;
    DagBox box = box_of(graph_.nodes[*node]);
    const DagPoint at = point(x, y);
    box.x = at.x;
    box.y = at.y;
    layout_.boxes[*node] = box;
    ++nodes_;
    return true;
  }
  /// The style names the edge: several may join the same two nodes.
  bool read_edge(std::istringstream& words) {
    std::string from;
    std::string to;
    std::size_t count = 0;
    words >> from >> to >> count;
    std::vector<DagPoint> path;
    for (std::size_t index = 0; index < count; ++index) {
      float x = 0;
      float y = 0;
      words >> x >> y;
      path.push_back(point(x, y));
    }
    std::string style;
    words >> style;
    const auto edge = number_of(style, graph_.edges.size());
    if (!edge || words.fail()) return false;
    layout_.paths[*edge] = std::move(path);
    return true;
  }

  const DagGraph& graph_;
  std::istringstream lines_;
  DagLayout layout_;
  std::size_t nodes_ = 0;
};

DagLayout lanes_because(const DagGraph& graph, std::string why) {
  DagLayout layout = lane_layout(graph);
  layout.why_not_graphviz = std::move(why);
  return layout;
}

}  // namespace

DagLayout lane_layout(const DagGraph& graph) {
  return LanePlacer(graph).place();
}

DagLayout dag_layout(const DagGraph& graph, DagEngine wanted,
                     const std::function<bool()>& cancelled) {
  if (cancelled()) return {};
  if (wanted == DagEngine::lanes) return lane_layout(graph);
  if (!has_graphviz()) return lanes_because(graph, "this build has no Graphviz");
  if (graph.nodes.size() > kMostGraphvizNodes) {
    return lanes_because(graph, fmt::format("{} nodes are more than the {} that Graphviz is asked "
                                            "to lay out; fold some",
                                            graph.nodes.size(), kMostGraphvizNodes));
  }
  const Result<std::string> plain = graphviz_drawing(dot_of(graph), "plain");
  if (cancelled()) return {};
  if (!plain) return lanes_because(graph, plain.error().message);
  std::optional<DagLayout> layout = PlainReader(graph, *plain).read();
  if (!layout) return lanes_because(graph, "Graphviz's answer could not be read");
  return std::move(*layout);
}

std::optional<std::uint32_t> node_at(const DagLayout& layout, DagPoint point) {
  for (std::uint32_t node = 0; node < layout.boxes.size(); ++node) {
    const DagBox& box = layout.boxes[node];
    if (std::abs(point.x - box.x) * 2 <= box.width && std::abs(point.y - box.y) * 2 <= box.height) {
      return node;
    }
  }
  return std::nullopt;
}

}  // namespace quintet::viewer
