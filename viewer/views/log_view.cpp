#include "viewer/views/log_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

Color color_of(LogLevel level, const Palette& palette) {
  switch (level) {
    case LogLevel::note:
      return palette.text;
    case LogLevel::warning:
      return palette.warn;
    case LogLevel::error:
      return palette.bad;
  }
  return palette.text;
}

void draw_line(const LogLine& line, const ViewContext& context) {
  ImGui::TextDisabled("%s", line.clock.c_str());
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Text, to_imgui(color_of(line.level, context.palette)));
  ImGui::TextUnformatted(line.text.c_str());
  ImGui::PopStyleColor();
  if (line.cure.empty()) return;
  ImGui::SameLine();
  ImGui::TextDisabled("%s", line.cure.c_str());
}

}  // namespace

void LogView::draw(ViewContext& context) {
  const WorkbenchLog& log = context.workbench.log;
  if (log.lines().empty()) {
    ImGui::TextDisabled("Nothing happened yet.");
    return;
  }
  if (log.left_out() > 0) {
    ImGui::TextDisabled("%s", fmt::format("{} older lines are gone", log.left_out()).c_str());
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(log.lines().size()));
  while (clipper.Step()) {
    for (int line = clipper.DisplayStart; line < clipper.DisplayEnd; ++line)
      draw_line(log.lines()[static_cast<std::size_t>(line)], context);
  }
  const std::uint64_t newest = log.lines().back().number;
  if (newest != drawn_) ImGui::SetScrollHereY(1);
  drawn_ = newest;
}

}  // namespace quintet::viewer
