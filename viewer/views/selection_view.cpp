#include "viewer/views/selection_view.h"

#include <imgui.h>

#include "viewer/model/selection_details.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

void draw_value(const DetailLine& line, std::size_t number, ViewContext& context) {
  if (line.link) {
    ImGui::PushID(static_cast<int>(number));
    if (link_text("##link", line.value, context.palette)) {
      context.commands.emit(command_id::kSelect, *line.link);
    }
    ImGui::PopID();
    tooltip(line.note.empty() ? line.value : line.value + "\n" + line.note);
    return;
  }
  wrapped_text(line.unknown ? context.palette.dim : context.palette.text, line.value);
  tooltip(line.note);
}

void draw_section(const DetailSection& section, ViewContext& context) {
  section_title(section.title, context.fonts, context.palette);
  ImGui::PushID(section.title.c_str());
  if (ImGui::BeginTable("facts", 2)) {
    ImGui::TableSetupColumn("label", ImGuiTableColumnFlags_WidthFixed, context.px(100));
    for (std::size_t line = 0; line < section.lines.size(); ++line) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      cut_text(context.palette.dim, section.lines[line].label, ImGui::GetContentRegionAvail().x);
      ImGui::TableNextColumn();
      draw_value(section.lines[line], line, context);
    }
    ImGui::EndTable();
  }
  ImGui::PopID();
}

void draw_nothing(ViewContext& context) {
  wrapped_text(context.palette.dim, context.workbench.anything_open()
                                        ? "Nothing is selected. Click a span, a task in a table or "
                                          "a node of the graph; [ and ] go along a lane."
                                        : "Nothing is open.");
}

}  // namespace

void SelectionView::draw(ViewContext& context) {
  const auto* part = context.parts.find<SelectionDetails>();
  if (part == nullptr || part->details().title.empty()) {
    draw_nothing(context);
    return;
  }
  const DetailList& details = part->details();
  ImGui::PushFont(context.fonts.bold);
  wrapped_text(context.palette.text, details.title);
  ImGui::PopFont();
  if (!details.subtitle.empty()) wrapped_text(context.palette.dim, details.subtitle);
  for (const DetailSection& section : details.sections)
    draw_section(section, context);
}

}  // namespace quintet::viewer
