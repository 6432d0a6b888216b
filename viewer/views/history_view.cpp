#include "viewer/views/history_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <map>

#include "profiler/report/format.h"
#include "viewer/model/history_keeper.h"
#include "viewer/widgets/line_plot.h"
#include "viewer/widgets/table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kPastRunColumns = std::to_array<TableColumn>({
    {"started", 158, false, "UTC"},
    {"scenario", 0, false, ""},
    {"policy", 0, false, ""},
    {"device", 0, false, ""},
    {"commit", 90, false, "of the program's source"},
    {"timed steps", 90, true, ""},
});

void choose_metric(const HistoryShown& shown, ViewContext& context) {
  ImGui::SetNextItemWidth(context.px(230));
  if (!ImGui::BeginCombo("##metric", shown.tag.c_str(), ImGuiComboFlags_HeightLarge)) return;
  for (const std::string& tag : shown.tags) {
    if (ImGui::Selectable(tag.c_str(), tag == shown.tag)) {
      context.commands.emit(command_id::kHistoryMetric, tag);
    }
  }
  ImGui::EndCombo();
}

/// One curve for each scenario, policy and device; x counts its points.
std::vector<PlotSeries> curves_of(const Trend& trend, const Palette& palette) {
  std::vector<PlotSeries> curves;
  std::map<std::string, std::size_t> curve_of;
  for (const TrendPoint& point : trend.points) {
    const std::string name = trend.line_of(point);
    const auto [at, added] = curve_of.try_emplace(name, curves.size());
    if (added) curves.push_back({name, palette.of_stream(curves.size()), {}, true});
    PlotSeries& curve = curves[at->second];
    const std::string commit = point.commit.empty() ? "unknown commit" : "commit " + point.commit;
    curve.points.push_back({static_cast<double>(curve.points.size() + 1), point.value,
                            fmt::format("{}, {}, {} runs", commit, point.started, point.runs)});
  }
  return curves;
}

void draw_trend(const HistoryShown& shown, ViewContext& context) {
  const std::vector<PlotSeries> curves = curves_of(shown.trend, context.palette);
  PlotFrame frame;
  frame.title = shown.trend.name.empty() ? shown.tag : shown.trend.name;
  frame.x_name = "point";
  frame.format_x = [](double x) { return fmt::format("{:.0f}", x); };
  frame.format_y = [hint = shown.trend.hint](double y) { return format_value(hint, y); };
  const ImVec2 room = ImGui::GetContentRegionAvail();
  draw_plot("##trend", frame, curves, room.x, std::max(room.y - context.px(8), context.px(90)),
            context.fonts, context.palette, context.frame.scale);
}

void draw_runs(const HistoryShown& shown, ViewContext& context) {
  Table table("runs", kPastRunColumns, {}, context.frame.scale);
  if (!table) return;
  const Palette& palette = context.palette;
  table.rows(shown.runs.size(), [&](std::size_t row) {
    // The newest first.
    const HistoryRun& run = shown.runs[shown.runs.size() - 1 - row];
    const auto text_cell = [&](const std::string& text) {
      Table::cell();
      cut_text(text.empty() ? palette.dim : palette.text, text.empty() ? "unknown" : text,
               ImGui::GetContentRegionAvail().x);
    };
    Table::cell();
    if (Table::pick("##run", false)) {
      context.commands.emit(command_id::kOpenFile, OpenFile{run.file, Side::b});
    }
    tooltip("Click opens " + run.file + " as B");
    cut_text(palette.text, run.started.empty() ? "unknown" : run.started,
             ImGui::GetContentRegionAvail().x);
    text_cell(run.scenario);
    text_cell(run.policy);
    text_cell(run.device);
    text_cell(run.commit);
    Table::cell();
    right_text(palette.text, fmt::format("{}", run.timed_steps));
  });
}

}  // namespace

void HistoryView::draw(ViewContext& context) {
  const auto* keeper = context.parts.find<HistoryKeeper>();
  if (keeper == nullptr) return;
  if (file_.empty()) file_ = keeper->file();
  text_field("##file", "history file", file_, context.px(260));
  if (ImGui::IsItemDeactivatedAfterEdit()) context.commands.emit(command_id::kHistoryOpen, file_);
  ImGui::SameLine();
  choose_metric(keeper->shown(), context);
  ImGui::SameLine();
  ImGui::BeginDisabled(!context.workbench.anything_open());
  if (ImGui::Button("Add what is shown")) context.commands.emit(command_id::kHistoryAdd);
  ImGui::EndDisabled();
  if (!keeper->error().message.empty()) {
    wrapped_text(context.palette.dim, "No history: " + to_string(keeper->error()));
    return;
  }
  if (keeper->shown().runs.empty()) {
    colored_text(context.palette.dim, "No run is in this history yet.");
    return;
  }
  if (!ImGui::BeginTable("history", 2, ImGuiTableFlags_Resizable)) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  draw_trend(keeper->shown(), context);
  ImGui::TableNextColumn();
  draw_runs(keeper->shown(), context);
  ImGui::EndTable();
}

}  // namespace quintet::viewer
