#include "viewer/views/help_window.h"

#include <array>
#include <imgui.h>
#include <string>

#include "viewer/views/overlay_window.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

std::string keys_of(const CommandEntry& entry) {
  std::string keys = to_string(entry.keys[0]);
  const std::string other = to_string(entry.keys[1]);
  if (!other.empty()) keys += keys.empty() ? other : " or " + other;
  return keys;
}

void draw_line(const std::string& keys, std::string_view title, ViewContext& context) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  colored_text(context.palette.accent, keys);
  ImGui::TableNextColumn();
  cut_text(context.palette.text, title, ImGui::GetContentRegionAvail().x);
}

void draw_group(CommandGroup group, ViewContext& context) {
  section_title(name_of(group), context.fonts, context.palette);
  const std::string id(name_of(group));
  if (!ImGui::BeginTable(id.c_str(), 2)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, context.px(128));
  for (const CommandEntry& entry : command_catalog()) {
    if (entry.group != group || entry.title.empty() || keys_of(entry).empty()) continue;
    draw_line(keys_of(entry), entry.title, context);
  }
  ImGui::EndTable();
}

void draw_mouse(ViewContext& context) {
  section_title("Mouse on the timeline", context.fonts, context.palette);
  if (!ImGui::BeginTable("mouse", 2)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, context.px(128));
  draw_line("wheel", "Zoom at the pointer", context);
  draw_line("drag", "Pan", context);
  draw_line("Shift+drag", "Measure", context);
  draw_line("click", "Select; double click zooms to it", context);
  draw_line("drag a task", "Move its kind to another lane; Alt: this layer's, Shift: and all after",
            context);
  ImGui::EndTable();
}

}  // namespace

void draw_help_window(const PaneBox& screen, ViewContext& context) {
  const OverlayWindow window("Keys", screen, 980, 760, context);
  if (!window) return;
  constexpr std::array<std::array<CommandGroup, 3>, 2> kColumns = {
      {{CommandGroup::view, CommandGroup::file, CommandGroup::help},
       {CommandGroup::go, CommandGroup::policy, CommandGroup::run}}};
  if (!ImGui::BeginTable("columns", 2, ImGuiTableFlags_SizingStretchSame)) return;
  ImGui::TableNextRow();
  for (const std::array<CommandGroup, 3>& column : kColumns) {
    ImGui::TableNextColumn();
    for (const CommandGroup group : column)
      draw_group(group, context);
    if (column.front() == CommandGroup::view) draw_mouse(context);
  }
  ImGui::EndTable();
}

}  // namespace quintet::viewer
