#include "viewer/widgets/table.h"

#include <algorithm>

#include "viewer/widgets/imgui_versions.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

Table::Table(const char* id, std::span<const TableColumn> columns, const Style& style, float scale)
    : sort_(style.first) {
  ImGuiTableFlags flags = ImGuiTableFlags_Resizable | ImGuiTableFlags_ScrollY |
                          ImGuiTableFlags_RowBg | ImGuiTableFlags_BordersInnerV |
                          ImGuiTableFlags_Hideable | ImGuiTableFlags_Reorderable;
  if (style.sortable) flags |= ImGuiTableFlags_Sortable;
  open_ = ImGui::BeginTable(id, static_cast<int>(columns.size()), flags, {0, style.height});
  if (!open_) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    ImGuiTableColumnFlags own = columns[column].width > 0 ? ImGuiTableColumnFlags_WidthFixed
                                                          : ImGuiTableColumnFlags_WidthStretch;
    if (static_cast<int>(column) == style.first.column) {
      own |= ImGuiTableColumnFlags_DefaultSort;
      if (style.first.descending) own |= ImGuiTableColumnFlags_PreferSortDescending;
    } else if (columns[column].right) {
      own |= ImGuiTableColumnFlags_PreferSortDescending;
    }
    ImGui::TableSetupColumn(columns[column].title, own,
                            columns[column].width > 0 ? columns[column].width * scale : 1);
  }
  head(columns);
  const ImGuiTableSortSpecs* specs = style.sortable ? ImGui::TableGetSortSpecs() : nullptr;
  if (specs != nullptr && specs->SpecsCount > 0) {
    sort_ = {specs->Specs[0].ColumnIndex,
             specs->Specs[0].SortDirection == ImGuiSortDirection_Descending};
  }
}

Table::~Table() {
  if (open_) ImGui::EndTable();
}

void Table::head(std::span<const TableColumn> columns) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (!ImGui::TableSetColumnIndex(static_cast<int>(column))) continue;
    ImGui::TableHeader(columns[column].title);
    tooltip(columns[column].note);
  }
}

void Table::rows(std::size_t count, const std::function<void(std::size_t)>& draw) {
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(count));
  while (clipper.Step()) {
    for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
      ImGui::TableNextRow();
      ImGui::PushID(row);
      draw(static_cast<std::size_t>(row));
      ImGui::PopID();
    }
  }
}

bool Table::pick(const char* id, bool picked) {
  const bool pressed =
      ImGui::Selectable(id, picked, ImGuiSelectableFlags_SpanAllColumns | kSelectableBelowItems);
  ImGui::SameLine(0, 0);
  return pressed;
}

void bar_cell(double share, std::string_view text, const Color& bar, const Palette& palette) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  const float length = room * static_cast<float>(std::clamp(share, 0.0, 1.0));
  const float height = ImGui::GetTextLineHeight();
  if (length >= 1) {
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + height * 0.12F},
                                              {at.x + length, at.y + height * 0.92F},
                                              mixed(palette.panel, bar, 0.38).packed(), 2);
  }
  right_text(palette.text, text);
}

}  // namespace quintet::viewer
