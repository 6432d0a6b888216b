#include "viewer/views/policy_table.h"

#include <cstring>
#include <fmt/format.h>
#include <imgui.h>

#include "viewer/model/command_id.h"
#include "viewer/model/mapping/draft_file.h"
#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

constexpr const char* kPayload = "quintet.mapping_row";
/// Column titles: the pane is narrow.
constexpr std::array<const char*, kStreamCount> kShort = {"T", "C1", "C2", "C3", "U"};

/// What goes along when something is dropped now: the row, or what the keys that are held say.
MoveReach reach_now(const MappingRow& row) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.KeyShift) return MoveReach::layer_after;
  if (io.KeyAlt) return MoveReach::layer;
  return quintet::reach_of(row.level);
}

PolicyEdit move_of(const MappingKeeper& keeper, std::uint32_t task, StreamKind stream,
                   MoveReach reach) {
  const std::vector<Task>& tasks = keeper.tasks();
  return move_task(tasks, keeper.draft().policy(), tasks[task], stream, reach);
}

std::string unfold_key(const MappingRow& row) {
  return row.part.empty() ? row.kind : row.kind + "/" + row.part;
}

/// A small triangle that folds; true when it was clicked.
bool fold_mark(bool open, const ViewContext& context) {
  const float side = context.px(11);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton("fold", {side, ImGui::GetTextLineHeight()});
  const float middle = at.y + ImGui::GetTextLineHeight() / 2;
  const float arm = context.px(3.5F);
  const ImU32 color =
      (ImGui::IsItemHovered() ? context.palette.text : context.palette.dim).packed();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float x = at.x + side / 2 - arm / 2;
  if (open) {
    list->AddTriangleFilled({x - arm, middle - arm / 2}, {x + arm, middle - arm / 2},
                            {x, middle + arm}, color);
  } else {
    list->AddTriangleFilled({x - arm / 2, middle - arm}, {x + arm, middle},
                            {x - arm / 2, middle + arm}, color);
  }
  return clicked;
}

/// What is dragged, as ImGui carries it.
struct Dragged {
  std::uint32_t task = 0;
  MappingLevel level = MappingLevel::op;
};

}  // namespace

bool PolicyTable::seen(const MappingRow& row) const {
  switch (row.level) {
    case MappingLevel::op:
      return true;
    case MappingLevel::part:
      return unfolded_.contains(row.kind);
    case MappingLevel::layer:
      return unfolded_.contains(row.kind) && unfolded_.contains(row.kind + "/" + row.part);
  }
  return true;
}

void PolicyTable::draw_label(const MappingRow& row, ViewContext& context) {
  const bool folds = row.level != MappingLevel::layer;
  const std::string key = unfold_key(row);
  const bool open = unfolded_.contains(key);
  ImGui::Indent(context.px(9) * static_cast<float>(row.level) + 1);
  if (folds && fold_mark(open, context)) {
    open ? static_cast<void>(unfolded_.erase(key)) : static_cast<void>(unfolded_.insert(key));
    // An op of one part has no row for it: its layers show at once.
    if (row.level == MappingLevel::op) unfolded_.insert(key + "/Y");
  }
  if (folds) ImGui::SameLine(0, context.px(2));
  const Workbench& workbench = context.workbench;
  const bool selected = workbench.selection.task == row.task.value();
  if (ImGui::Selectable(row.label.c_str(), selected)) {
    const Side side = mapped_side(workbench);
    if (const Document* document = workbench.document(side)) {
      context.commands.emit(command_id::kSelect,
                            select_task(*document, side, row.task.value(), workbench.step));
    }
  }
  if (ImGui::IsItemHovered()) {
    // The pane is narrow: the name may be cut off.
    ImGui::SetTooltip("%s%s%s", row.label.c_str(), row.reason.empty() ? "" : "\n",
                      row.reason.c_str());
  }
  ImGui::Unindent(context.px(9) * static_cast<float>(row.level) + 1);
}

void PolicyTable::draw_menu(const MappingKeeper& keeper, const MappingRow& row,
                            ViewContext& context) {
  if (!ImGui::BeginPopupContextItem("move")) return;
  struct Choice {
    const char* title;
    MoveReach reach;
  };
  const std::array<Choice, 3> choices = {
      {{"Move all of it to", quintet::reach_of(row.level)},
       {"Move this layer to", MoveReach::layer},
       {"Move this layer and all after to", MoveReach::layer_after}}};
  for (const Choice& choice : choices) {
    if (!ImGui::BeginMenu(choice.title)) continue;
    for (const StreamKind stream : kStreamKinds) {
      if (ImGui::MenuItem(std::string(name_of(stream)).c_str())) {
        context.commands.emit(command_id::kEditPolicy,
                              edit_text(move_of(keeper, row.task.value(), stream, choice.reach)));
      }
    }
    ImGui::EndMenu();
  }
  ImGui::EndPopup();
}

void PolicyTable::draw_cell(const MappingKeeper& keeper, const MappingRow& row, StreamKind stream,
                            ViewContext& context) {
  const std::uint32_t count = row.tasks[index_of(stream)];
  const ImVec2 size(ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight() + context.px(2));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(stream));
  ImGui::InvisibleButton("cell", size);
  const Color& ground = context.palette.of_stream(index_of(stream));
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (count > 0) {
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, ground.packed(), context.px(2));
    const std::string text = std::to_string(count);
    const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
    list->AddText({at.x + (size.x - extent.x) / 2, at.y + (size.y - extent.y) / 2},
                  context.palette.text_on(ground).packed(), text.c_str());
    if (ImGui::BeginDragDropSource(ImGuiDragDropFlags_None)) {
      const Dragged dragged{row.task.value(), row.level};
      ImGui::SetDragDropPayload(kPayload, &dragged, sizeof dragged);
      dragging_ = true;
      ImGui::Text("%s: to a stream (Alt: this layer, Shift: and all after)", row.label.c_str());
      ImGui::EndDragDropSource();
    }
  } else if (ImGui::IsItemHovered()) {
    list->AddRect(at, {at.x + size.x, at.y + size.y}, context.palette.border.packed(),
                  context.px(2));
  }
  if (ImGui::IsItemHovered() && !row.reason.empty()) ImGui::SetTooltip("%s", row.reason.c_str());
  if (ImGui::BeginDragDropTarget()) {
    const ImGuiPayload* payload =
        ImGui::AcceptDragDropPayload(kPayload, ImGuiDragDropFlags_AcceptBeforeDelivery);
    if (payload != nullptr) {
      Dragged dragged;
      std::memcpy(&dragged, payload->Data, sizeof dragged);
      target_hovered_ = true;
      MappingRow moved;
      moved.level = dragged.level;
      const PolicyEdit edit = move_of(keeper, dragged.task, stream, reach_now(moved));
      context.commands.emit(payload->IsDelivery() ? command_id::kEditPolicy : command_id::kTryEdit,
                            edit_text(edit));
    }
    ImGui::EndDragDropTarget();
  }
  ImGui::PopID();
}

void PolicyTable::draw_row(const MappingKeeper& keeper, const MappingRow& row,
                           ViewContext& context) {
  ImGui::TableNextRow();
  ImGui::PushID(unfold_key(row).c_str());
  ImGui::PushID(row.layer.c_str());
  ImGui::TableNextColumn();
  draw_label(row, context);
  draw_menu(keeper, row, context);
  for (const StreamKind stream : kStreamKinds) {
    ImGui::TableNextColumn();
    draw_cell(keeper, row, stream, context);
  }
  ImGui::PopID();
  ImGui::PopID();
}

void PolicyTable::draw(const MappingKeeper& keeper, ViewContext& context) {
  target_hovered_ = false;
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX;
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {context.px(1.5F), context.px(1)});
  const bool open = ImGui::BeginTable("table", 1 + static_cast<int>(kStreamCount), kFlags);
  ImGui::PopStyleVar();
  if (!open) return;
  ImGui::TableSetupColumn("tasks", ImGuiTableColumnFlags_WidthStretch);
  for (const char* title : kShort)
    ImGui::TableSetupColumn(title, ImGuiTableColumnFlags_WidthFixed, context.px(22));
  ImGui::TableHeadersRow();
  std::vector<const MappingRow*> rows;
  for (const MappingRow& row : keeper.table().rows) {
    if (seen(row)) rows.push_back(&row);
  }
  for (const MappingRow* row : rows)
    draw_row(keeper, *row, context);
  ImGui::EndTable();
  if (dragging_ && !target_hovered_) context.commands.emit(command_id::kDropPreview);
  if (dragging_ && ImGui::GetDragDropPayload() == nullptr) {
    dragging_ = false;
    if (!target_hovered_) context.commands.emit(command_id::kDropPreview);
  }
}

}  // namespace quintet::viewer
