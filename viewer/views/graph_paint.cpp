#include "viewer/views/graph_paint.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "viewer/widgets/imgui_versions.h"

namespace quintet::viewer {

namespace {

/// Narrower boxes carry no text.
constexpr float kLabelPixels = 34;
/// Lines of lane order are left out where a unit takes less than this.
constexpr float kDetailZoom = 0.2F;

bool contains(std::string_view text, std::string_view wanted) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), wanted.begin(), wanted.end(), same) != text.end();
}

class GraphPainter {
 public:
  GraphPainter(ImDrawList& list, const DagScene& scene, const GraphCamera& camera,
               const GraphStyle& style)
      : list_(list), scene_(scene), camera_(camera), style_(style) {}

  void paint() {
    for (std::size_t edge = 0; edge < scene_.graph.edges.size(); ++edge)
      draw_edge(scene_.graph.edges[edge], scene_.layout.paths[edge]);
    for (const DagRace& race : scene_.graph.races)
      draw_race(race);
    for (std::size_t node = 0; node < scene_.graph.nodes.size(); ++node)
      draw_node(scene_.graph.nodes[node], scene_.layout.boxes[node]);
  }

 private:
  void draw_edge(const DagEdge& edge, const std::vector<DagPoint>& path) {
    if (!style_.kinds[static_cast<std::size_t>(edge.kind)] || path.size() < 2) return;
    const bool order = edge.kind == DagEdgeKind::lane_order;
    if (order && camera_.zoom < kDetailZoom) return;
    DagPoint low = path.front();
    DagPoint high = path.front();
    for (const DagPoint& at : path) {
      low = {std::min(low.x, at.x), std::min(low.y, at.y)};
      high = {std::max(high.x, at.x), std::max(high.y, at.y)};
    }
    if (!camera_.sees(low, high)) return;
    const Color color = edge.surplus ? style_.palette.warn : color_of(edge.kind, style_.palette);
    const float width = edge.surplus ? 2.5F : order ? 1.0F : 1.5F;
    draw_path(path, color.packed(), width);
    if (camera_.zoom >= kDetailZoom) draw_head(path, color.packed());
  }

  void draw_path(const std::vector<DagPoint>& path, ImU32 color, float width) {
    if (path.size() == 2) {
      const ImVec2 from = camera_.to_screen(path[0]);
      const ImVec2 to = camera_.to_screen(path[1]);
      const float bend = std::max(8.0F, std::abs(to.x - from.x) / 2);
      list_.AddBezierCubic(from, {from.x + bend, from.y}, {to.x - bend, to.y}, to, color, width);
      return;
    }
    for (std::size_t at = 0; at + 3 < path.size(); at += 3) {
      list_.AddBezierCubic(camera_.to_screen(path[at]), camera_.to_screen(path[at + 1]),
                           camera_.to_screen(path[at + 2]), camera_.to_screen(path[at + 3]), color,
                           width);
    }
  }

  void draw_head(const std::vector<DagPoint>& path, ImU32 color) {
    const ImVec2 end = camera_.to_screen(path.back());
    const ImVec2 before = camera_.to_screen(path[path.size() - 2]);
    float dx = path.size() == 2 ? 1 : end.x - before.x;
    float dy = path.size() == 2 ? 0 : end.y - before.y;
    const float length = std::max(1e-3F, std::hypot(dx, dy));
    dx *= 5 / length;
    dy *= 5 / length;
    list_.AddTriangleFilled(end, {end.x - dx - dy * 0.6F, end.y - dy + dx * 0.6F},
                            {end.x - dx + dy * 0.6F, end.y - dy - dx * 0.6F}, color);
  }

  void draw_race(const DagRace& race) {
    const DagBox& from = scene_.layout.boxes[race.from];
    const DagBox& to = scene_.layout.boxes[race.to];
    list_.AddLine(camera_.to_screen({from.x, from.y}), camera_.to_screen({to.x, to.y}),
                  style_.palette.bad.packed(), 3);
  }

  void draw_node(const DagNode& node, const DagBox& box) {
    const DagPoint low{box.x - box.width / 2, box.y - box.height / 2};
    const DagPoint high{box.x + box.width / 2, box.y + box.height / 2};
    if (!camera_.sees(low, high)) return;
    const ImVec2 a = camera_.to_screen(low);
    const ImVec2 b = camera_.to_screen(high);
    fill(node, a, b);
    const bool selected = style_.selected && std::find(node.tasks.begin(), node.tasks.end(),
                                                       *style_.selected) != node.tasks.end();
    const bool hit = !style_.search.empty() && found(node);
    if (selected) {
      list_.AddRect(a, b, style_.palette.selection.packed(), 3.0F, 0, 3.0F);
    } else if (hit) {
      list_.AddRect(a, b, style_.palette.accent.packed(), 3.0F, 0, 2.5F);
    } else if (node.surplus > 0) {
      list_.AddRect(a, b, style_.palette.warn.packed(), 3.0F, 0, 2.0F);
    } else {
      list_.AddRect(a, b, style_.palette.border.packed(), 3.0F, 0, node.folded ? 2.0F : 1.0F);
    }
    if (b.x - a.x < kLabelPixels || b.y - a.y < 9) return;
    const Color ground =
        node.lane ? style_.palette.of_stream(node.lane->value()) : style_.palette.raised;
    ImFont* font = style_.fonts.small;
    const float size = std::min(size_px(font), (b.y - a.y) * 0.8F);
    const ImVec4 clip(a.x + 2, a.y, b.x - 2, b.y);
    list_.AddText(font, size, {a.x + 4, (a.y + b.y - size) / 2},
                  (node.lane ? style_.palette.text_on(ground) : style_.palette.text).packed(),
                  node.label.c_str(), nullptr, 0, &clip);
  }

  /// One colour a lane, or a stripe for each lane of a fold.
  void fill(const DagNode& node, ImVec2 a, ImVec2 b) {
    if (node.lane) {
      list_.AddRectFilled(a, b, style_.palette.of_stream(node.lane->value()).packed(), 3);
      return;
    }
    list_.AddRectFilled(a, b, style_.palette.raised.packed(), 3);
    std::vector<std::uint32_t> lanes;
    for (const std::uint32_t task : node.tasks) {
      const auto& lane = style_.trace.tasks[task].policy_lane;
      if (lane && std::find(lanes.begin(), lanes.end(), lane->value()) == lanes.end()) {
        lanes.push_back(lane->value());
      }
    }
    std::sort(lanes.begin(), lanes.end());
    const float width = (b.x - a.x) / static_cast<float>(std::max<std::size_t>(lanes.size(), 1));
    const float height = std::max(2.0F, (b.y - a.y) * 0.22F);
    for (std::size_t index = 0; index < lanes.size(); ++index) {
      const float left = a.x + width * static_cast<float>(index);
      list_.AddRectFilled({left, b.y - height}, {left + width, b.y},
                          style_.palette.of_stream(lanes[index]).packed());
    }
  }

  [[nodiscard]] bool found(const DagNode& node) const {
    if (contains(node.label, style_.search)) return true;
    return std::any_of(node.tasks.begin(), node.tasks.end(), [&](std::uint32_t task) {
      return contains(style_.trace.tasks[task].name, style_.search);
    });
  }

  ImDrawList& list_;
  const DagScene& scene_;
  const GraphCamera& camera_;
  const GraphStyle& style_;
};

}  // namespace

bool GraphCamera::sees(DagPoint low, DagPoint high) const {
  const ImVec2 a = to_screen(low);
  const ImVec2 b = to_screen(high);
  return b.x >= corner.x && b.y >= corner.y && a.x <= corner.x + size.x && a.y <= corner.y + size.y;
}

Color color_of(DagEdgeKind kind, const Palette& palette) {
  switch (kind) {
    case DagEdgeKind::lane_order:
      return palette.border;
    case DagEdgeKind::adjacent:
      return palette.accent;
    case DagEdgeKind::op_internal:
      return palette.dim;
    case DagEdgeKind::conflict:
      return palette.text;
    case DagEdgeKind::manual:
      return palette.good;
  }
  return palette.text;
}

void paint_graph(ImDrawList& list, const DagScene& scene, const GraphCamera& camera,
                 const GraphStyle& style) {
  GraphPainter(list, scene, camera, style).paint();
}

}  // namespace quintet::viewer
