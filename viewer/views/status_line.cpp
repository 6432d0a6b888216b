#include "viewer/views/status_line.h"

#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "viewer/model/document_reports.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

Color color_of(StatusTone tone, const Palette& palette) {
  switch (tone) {
    case StatusTone::plain:
      return palette.text;
    case StatusTone::dim:
      return palette.dim;
    case StatusTone::good:
      return palette.good;
    case StatusTone::warn:
      return palette.warn;
    case StatusTone::bad:
      return palette.bad;
  }
  return palette.text;
}

/// "Opening run.qtrace 40 %" with a bar and a way to stop it; returns its width.
float draw_job(const JobStatus& job, std::size_t others, float right, ViewContext& context) {
  std::string text = job.title;
  if (job.progress >= 0) text += fmt::format(" {:.0f} %", job.progress * 100);
  if (others > 0) text += fmt::format(" and {} more", others);
  const float width = ImGui::CalcTextSize(text.c_str()).x + context.px(120);
  ImGui::SameLine(right - width);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float length = context.px(64);
  const float middle = at.y + ImGui::GetTextLineHeight() / 2;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const auto bar = [&](float from, float to, const Color& color) {
    draw.AddRectFilled({at.x + from * length, middle - context.px(2)},
                       {at.x + to * length, middle + context.px(2)}, color.packed(), 2);
  };
  bar(0, 1, context.palette.border);
  if (job.progress >= 0) {
    bar(0, static_cast<float>(job.progress), context.palette.accent);
  } else {
    const auto phase = static_cast<float>(std::fmod(context.frame.seconds, 1.2) / 1.2);
    bar(phase * 0.7F, phase * 0.7F + 0.3F, context.palette.accent);
  }
  ImGui::Dummy({length, 1});
  ImGui::SameLine();
  colored_text(context.palette.dim, text);
  ImGui::SameLine(0, context.px(4));
  if (link_text("##cancel", "cancel", context.palette)) {
    context.commands.emit(command_id::kCancelJob, job.key);
  }
  return width;
}

}  // namespace

void StatusLine::draw(const PaneBox& box, ViewContext& context) {
  const Side side = context.workbench.main_side();
  const Document* document = context.workbench.document(side);
  const auto* reports = context.parts.find<DocumentReports>();
  const std::uint64_t generation = document == nullptr ? 0 : document->generation;
  const std::uint64_t report = reports == nullptr ? 0 : reports->generation(side);
  if (generation != generation_ || report != report_) {
    generation_ = generation;
    report_ = report;
    facts_.clear();
    if (document != nullptr)
      facts_ = status_facts(*document, reports == nullptr ? nullptr : reports->report(side));
  }
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, context.palette.raised.packed());
  ImGui::BeginChild("##status", {box.width, box.height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::SetCursorPos({context.px(8), (box.height - ImGui::GetTextLineHeight()) / 2});
  if (document != nullptr && context.workbench.both_open()) {
    ImGui::PushFont(context.fonts.bold);
    colored_text(context.palette.of(side), name_of(side));
    ImGui::PopFont();
    ImGui::SameLine(0, context.px(8));
  }
  for (std::size_t fact = 0; fact < facts_.size(); ++fact) {
    if (fact > 0) {
      ImGui::SameLine(0, context.px(8));
      colored_text(context.palette.dim, "\u00B7");
      ImGui::SameLine(0, context.px(8));
    }
    colored_text(color_of(facts_[fact].tone, context.palette), facts_[fact].text);
    tooltip(facts_[fact].note);
  }
  if (facts_.empty()) ImGui::Dummy({1, 1});
  if (context.workbench.pane_keys) {
    ImGui::SameLine(0, context.px(16));
    colored_text(context.palette.accent,
                 "Keys work the panes: arrows, Space, Enter; Tab or Esc ends");
  }
  if (!context.jobs.empty()) {
    draw_job(context.jobs.front(), context.jobs.size() - 1, box.width - context.px(10), context);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

float draw_alert(const PaneBox& box, ViewContext& context) {
  const LogLine* alert = context.workbench.log.alert();
  if (alert == nullptr) return 0;
  const Color tone = alert->level == LogLevel::error ? context.palette.bad : context.palette.warn;
  const float height = context.px(28);
  ImGui::SetCursorScreenPos({box.x, box.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, mixed(context.palette.panel, tone, 0.18).packed());
  ImGui::BeginChild("##alert", {box.width, height}, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::GetWindowDrawList()->AddRectFilled({box.x, box.y}, {box.x + context.px(4), box.y + height},
                                            tone.packed());
  ImGui::SetCursorPos({context.px(14), (height - ImGui::GetFrameHeight()) / 2});
  ImGui::AlignTextToFramePadding();
  std::string text = alert->text;
  if (!alert->cure.empty()) text += "; " + alert->cure;
  cut_text(context.palette.text, text, box.width - context.px(170));
  ImGui::SameLine(box.width - context.px(140));
  if (quiet_button("Log", context.palette)) {
    context.commands.emit(command_id::kTab, std::string("log"));
  }
  ImGui::SameLine();
  if (quiet_button("Dismiss", context.palette)) context.commands.emit(command_id::kDismiss);
  ImGui::EndChild();
  ImGui::PopStyleColor();
  return height;
}

}  // namespace quintet::viewer
