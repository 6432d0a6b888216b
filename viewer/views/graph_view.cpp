#include "viewer/views/graph_view.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "viewer/model/command_id.h"
#include "viewer/views/graph_paint.h"
#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

constexpr float kMargin = 12;  ///< pixels around a graph that is shown whole
constexpr float kLeastZoom = 0.01F;
constexpr float kMostZoom = 4;

void node_tooltip(const std::string& text) {
  if (!text.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text.c_str());
}

std::string text_of(const DagNode& node, const Trace& trace) {
  constexpr std::size_t kMost = 14;
  std::string text;
  for (std::size_t index = 0; index < std::min(node.tasks.size(), kMost); ++index) {
    const TraceTask& task = trace.tasks[node.tasks[index]];
    const std::string lane = task.policy_lane && task.policy_lane->value() < trace.lanes.size()
                                 ? trace.lanes[task.policy_lane->value()].name
                                 : "no lane";
    text += fmt::format("{}{}  ({})", text.empty() ? "" : "\n", task.name, lane);
  }
  if (node.tasks.size() > kMost) text += fmt::format("\n{} more", node.tasks.size() - kMost);
  if (node.tasks.size() == 1) text += "\n" + trace.tasks[node.tasks.front()].placement_reason;
  return text;
}

/// Edges of the node that something is to be said about.
std::string marks_of(const DagScene& scene, std::uint32_t node) {
  std::string text;
  if (const std::uint32_t inside = scene.graph.nodes[node].surplus; inside > 0) {
    text += fmt::format("\n{} waits within order nothing that conflicts", inside);
  }
  for (const DagEdge& edge : scene.graph.edges) {
    if (edge.surplus && edge.to == node) {
      text += fmt::format("\nwaits for {}, which orders nothing that conflicts",
                          scene.graph.nodes[edge.from].label);
    }
  }
  for (const DagRace& race : scene.graph.races) {
    if (race.to == node || race.from == node) text += "\nrace: " + race.text;
  }
  return text;
}

}  // namespace

void GraphView::draw_tools(const DagKeeper& keeper, ViewContext& context) {
  const DagQuestion& question = keeper.question();
  ImGui::SetNextItemWidth(context.px(210));
  if (ImGui::BeginCombo("##graph", question.graph.c_str())) {
    for (const std::string& graph : keeper.graphs()) {
      if (ImGui::Selectable(graph.c_str(), graph == question.graph)) {
        context.commands.emit(command_id::kGraphShow, graph);
      }
    }
    ImGui::EndCombo();
  }
  const auto button = [&](const char* label, const char* note, std::string_view command) {
    ImGui::SameLine();
    if (ImGui::Button(label)) context.commands.emit(command);
    node_tooltip(note);
  };
  button("Fold", "One box for each layer or block, and direction", command_id::kGraphFoldAll);
  button("Unfold", "One box for each task", command_id::kGraphUnfoldAll);
  button(question.engine == DagEngine::lanes ? "By lanes" : "By Graphviz",
         "Lay out by lanes and issue order, or by Graphviz", command_id::kGraphEngine);
  if (keeper.can_draft()) {
    button(question.drafted ? "As edited" : "As recorded",
           "The recorded graph, or that of the edited mapping", command_id::kGraphDraft);
  }
  ImGui::SameLine();
  if (ImGui::Button("Fit")) fit_asked_ = true;
}

void GraphView::draw_legend(const DagScene& scene, ViewContext& context) {
  for (std::size_t index = 0; index < kDagEdgeKindCount; ++index) {
    const auto kind = static_cast<DagEdgeKind>(index);
    const auto count = std::count_if(scene.graph.edges.begin(), scene.graph.edges.end(),
                                     [&](const DagEdge& edge) { return edge.kind == kind; });
    if (count == 0) continue;
    ImGui::SameLine();
    ImGui::PushStyleColor(
        ImGuiCol_Text, to_imgui(kind == DagEdgeKind::lane_order ? context.palette.dim
                                                                : color_of(kind, context.palette)));
    ImGui::Checkbox(fmt::format("{} {}", name_of(kind), count).c_str(), &shown_kinds_[index]);
    ImGui::PopStyleColor();
  }
  std::string text =
      fmt::format("{} tasks in {} boxes", scene.graph.tasks, scene.graph.nodes.size());
  auto surplus = std::count_if(scene.graph.edges.begin(), scene.graph.edges.end(),
                               [](const DagEdge& edge) { return edge.surplus; });
  for (const DagNode& node : scene.graph.nodes)
    surplus += node.surplus;
  if (surplus > 0) text += fmt::format(", {} waits order nothing", surplus);
  if (!scene.graph.races.empty()) text += fmt::format(", {} races", scene.graph.races.size());
  if (!scene.layout.why_not_graphviz.empty()) {
    text += ", by lanes: " + scene.layout.why_not_graphviz;
  }
  ImGui::SameLine();
  ImGui::TextDisabled("%s", text.c_str());
}

void GraphView::fit(const DagScene& scene, float width, float height) {
  const float across = (width - 2 * kMargin) / std::max(scene.layout.width, 1.0F);
  const float down = (height - 2 * kMargin) / std::max(scene.layout.height, 1.0F);
  // A long graph is shown from its beginning, tall enough to be read.
  const float readable = std::min(down, 1.0F);
  zoom_ = std::clamp(across < readable * 0.35F ? readable : std::min({across, down, 1.5F}),
                     kLeastZoom, kMostZoom);
  origin_ = {kMargin, (height - scene.layout.height * zoom_) / 2};
  fitted_ = scene.graph.name;
  fitted_engine_ = scene.layout.engine;
  fit_asked_ = false;
}

void GraphView::reveal(const DagKeeper& keeper, const DagScene& scene, float width, float height,
                       const ViewContext& context) {
  if (revealed_ == keeper.reveals() || keeper.stale()) return;
  revealed_ = keeper.reveals();
  const auto& task = context.workbench.selection.task;
  const auto node = task ? scene.graph.node_of(*task) : std::nullopt;
  if (!node) return;
  zoom_ = std::max(zoom_, 0.8F);
  const DagBox& box = scene.layout.boxes[*node];
  origin_ = {width / 2 - box.x * zoom_, height / 2 - box.y * zoom_};
}

void GraphView::steer(const DagScene& scene, float width, float height) {
  if (fitted_ != scene.graph.name || fitted_engine_ != scene.layout.engine || fit_asked_) {
    fit(scene, width, height);
  }
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    origin_ = {origin_.x + io.MouseDelta.x, origin_.y + io.MouseDelta.y};
  }
  if (ImGui::IsItemHovered() && io.MouseWheel != 0) {
    const ImVec2 corner = ImGui::GetItemRectMin();
    const float x = io.MousePos.x - corner.x;
    const float y = io.MousePos.y - corner.y;
    const float zoom = std::clamp(zoom_ * std::pow(1.2F, io.MouseWheel), kLeastZoom, kMostZoom);
    origin_ = {x - (x - origin_.x) * zoom / zoom_, y - (y - origin_.y) * zoom / zoom_};
    zoom_ = zoom;
  }
}

void GraphView::draw_canvas(const DagKeeper& keeper, const DagScene& scene, ViewContext& context) {
  const Document* document = mapped_document(context.workbench);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (document == nullptr || room.x < 4 || room.y < 4 || scene.graph.nodes.empty()) return;
  ImGui::InvisibleButton("canvas", room);
  const ImVec2 corner = ImGui::GetItemRectMin();
  steer(scene, room.x, room.y);
  reveal(keeper, scene, room.x, room.y, context);
  const GraphCamera camera{corner, room, zoom_, origin_};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(corner, {corner.x + room.x, corner.y + room.y}, true);
  const GraphStyle style{*document->trace,
                         context.palette,
                         context.fonts,
                         shown_kinds_,
                         context.workbench.selection.task,
                         context.workbench.search};
  paint_graph(*list, scene, camera, style);
  list->PopClipRect();
  if (!ImGui::IsItemHovered()) return;
  const auto node = node_at(scene.layout, camera.to_layout(ImGui::GetIO().MousePos));
  if (!node) return;
  const DagNode& hovered = scene.graph.nodes[*node];
  ImGui::SetTooltip("%s%s", text_of(hovered, *document->trace).c_str(),
                    marks_of(scene, *node).c_str());
  if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    context.commands.emit(command_id::kGraphFold, hovered.group);
  } else if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
             ImGui::GetMouseDragDelta(ImGuiMouseButton_Left).x == 0) {
    context.commands.emit(command_id::kSelect,
                          select_task(*document, mapped_side(context.workbench),
                                      hovered.tasks.front(), context.workbench.step));
  }
}

void GraphView::draw(ViewContext& context) {
  const auto* keeper = context.parts.find<DagKeeper>();
  if (keeper == nullptr || mapped_document(context.workbench) == nullptr) {
    ImGui::TextDisabled("Open a recording to see its graphs.");
    return;
  }
  if (keeper->graphs().empty()) {
    ImGui::TextDisabled("This recording holds no task graph.");
    return;
  }
  draw_tools(*keeper, context);
  const std::shared_ptr<const DagScene> scene = keeper->scene();
  if (scene == nullptr) {
    ImGui::TextDisabled("Laying out the graph...");
    return;
  }
  draw_legend(*scene, context);
  draw_canvas(*keeper, *scene, context);
}

}  // namespace quintet::viewer
