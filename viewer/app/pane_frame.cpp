#include "viewer/app/pane_frame.h"

#include <algorithm>
#include <imgui.h>
#include <string>

#include "viewer/widgets/imgui_versions.h"
#include "viewer/widgets/splitter.h"
#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

/// A child window over a rectangle of the screen, with the panel's colour. Ends itself.
class PaneChild {
 public:
  PaneChild(const std::string& id, const PaneBox& box, const Palette& palette, bool padded) {
    ImGui::SetCursorScreenPos({box.x, box.y});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, to_imgui(palette.panel));
    const ImVec2 size(box.width, box.height);
    if (padded) {
      begin_padded_child(id.c_str(), size);
    } else {
      ImGui::BeginChild(id.c_str(), size, false,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    }
  }
  PaneChild(const PaneChild&) = delete;
  PaneChild& operator=(const PaneChild&) = delete;
  ~PaneChild() {
    ImGui::EndChild();
    ImGui::PopStyleColor();
  }
};

bool drawable(const PaneBox& box) {
  return box.width >= 1 && box.height >= 1;
}

/// The title over a view of a stack; returns its height.
float draw_header(std::string_view title, const PaneBox& box, const ViewContext& context) {
  const float height = context.px(22);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddRectFilled({box.x, box.y}, {box.x + box.width, box.y + height},
                     context.palette.raised.packed());
  ImFont* font = context.fonts.bold;
  draw.AddText(font, size_px(font), {box.x + context.px(8), box.y + (height - size_px(font)) / 2},
               context.palette.text.packed(), title.data(), title.data() + title.size());
  return height;
}

}  // namespace

PaneFrame::PaneFrame() {
  for (const ViewEntry& entry : view_catalog())
    views_.push_back({&entry, entry.make()});
}

std::vector<std::string_view> PaneFrame::tabs() const {
  std::vector<std::string_view> ids;
  for (const Placed& placed : views_) {
    if (placed.entry->placement == Placement::bottom) ids.push_back(placed.entry->id);
  }
  return ids;
}

void PaneFrame::draw(const PaneBox& area, ViewContext& context) {
  boxes_ = cut_panes(context.workbench.layout, area, context.frame.scale);
  const PaneBoxes& boxes = boxes_;
  draw_splitters(boxes, area, context);
  draw_stack(Placement::left, boxes.left, context);
  draw_stack(Placement::centre, boxes.centre, context);
  draw_stack(Placement::right, boxes.right, context);
  draw_tabs(boxes.bottom, context);
}

void PaneFrame::draw_stack(Placement placement, const PaneBox& box, ViewContext& context) {
  if (!drawable(box)) return;
  std::vector<Placed*> stack;
  float shares = 0;
  for (Placed& placed : views_) {
    if (placed.entry->placement != placement) continue;
    stack.push_back(&placed);
    shares += placed.entry->share;
  }
  const bool titled = placement != Placement::centre;
  float top = box.y;
  for (Placed* placed : stack) {
    PaneBox own = {box.x, top, box.width, box.height * placed->entry->share / shares};
    top += own.height;
    if (placed == stack.back()) own.height = box.y + box.height - own.y;
    if (titled) {
      const float header = draw_header(placed->view->title(), own, context);
      own.y += header;
      own.height -= header;
    }
    if (!drawable(own)) continue;
    const PaneChild child(std::string(placed->entry->id), own, context.palette, titled);
    placed->view->draw(context);
  }
}

void PaneFrame::draw_tabs(const PaneBox& box, ViewContext& context) {
  if (!drawable(box)) return;
  const PaneChild pane("##tabs", box, context.palette, false);
  Placed* current = nullptr;
  ImGui::SetCursorPosX(context.px(6));
  for (Placed& placed : views_) {
    if (placed.entry->placement != Placement::bottom) continue;
    const bool chosen = placed.entry->id == context.workbench.bottom_tab;
    if (chosen) current = &placed;
    ImGui::PushFont(chosen ? context.fonts.bold : context.fonts.body);
    ImGui::PushStyleColor(ImGuiCol_Button,
                          to_imgui(chosen ? context.palette.raised : context.palette.panel));
    const std::string label = std::string(placed.view->title()) + "##tab";
    if (ImGui::Button(label.c_str())) {
      context.commands.emit(command_id::kTab, std::string(placed.entry->id));
    }
    ImGui::PopStyleColor();
    ImGui::PopFont();
    if (chosen) {
      const ImVec2 least = ImGui::GetItemRectMin();
      const ImVec2 most = ImGui::GetItemRectMax();
      ImGui::GetWindowDrawList()->AddRectFilled({least.x, most.y - context.px(2)}, most,
                                                context.palette.accent.packed());
    }
    ImGui::SameLine(0, context.px(2));
  }
  ImGui::NewLine();
  if (current == nullptr) return;
  const float used = ImGui::GetCursorScreenPos().y - box.y;
  const PaneBox rest = {box.x, box.y + used, box.width, box.height - used};
  if (!drawable(rest)) return;
  const PaneChild child(std::string(current->entry->id), rest, context.palette, true);
  current->view->draw(context);
}

void PaneFrame::draw_splitters(const PaneBoxes& boxes, const PaneBox& area, ViewContext& context) {
  PaneLayout layout = context.workbench.layout;
  const float width = context.px(kSplitterWidth);
  const float upper = boxes.centre.height;
  const auto units = [&](float pixels) { return pixels / context.frame.scale; };
  // What is drawn may be smaller than what was wished for; a drag goes on from what is seen.
  if (drawable(boxes.left)) {
    const float by = drag_splitter(
        "##split left", {area.x + boxes.left.width, area.y, width, upper}, true, context.palette);
    if (by != 0) layout.left_width = std::max(kSmallestPane, units(boxes.left.width + by));
  }
  if (drawable(boxes.right)) {
    const float by = drag_splitter("##split right", {boxes.right.x - width, area.y, width, upper},
                                   true, context.palette);
    if (by != 0) layout.right_width = std::max(kSmallestPane, units(boxes.right.width - by));
  }
  if (drawable(boxes.bottom)) {
    const float by =
        drag_splitter("##split bottom", {area.x, boxes.bottom.y - width, area.width, width}, false,
                      context.palette);
    if (by != 0) layout.bottom_height = std::max(kSmallestPane, units(boxes.bottom.height - by));
  }
  if (layout != context.workbench.layout) context.commands.emit(command_id::kResizePanes, layout);
}

}  // namespace quintet::viewer
