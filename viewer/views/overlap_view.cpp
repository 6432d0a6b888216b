#include "viewer/views/overlap_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <vector>

#include "profiler/report/format.h"
#include "viewer/model/fuzzy_match.h"
#include "viewer/views/shown_report.h"
#include "viewer/widgets/imgui_versions.h"
#include "viewer/widgets/table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kMetricColumns = std::to_array<TableColumn>({
    {"metric", 0, false, "hover a name for what it means"},
    {"value", 110, true, "the median where it is measured over steps"},
    {"5 % to 95 %", 150, true, "quantiles over steps"},
});

/// A row of the metric table: a family's title, or one of its values.
struct MetricRow {
  std::string_view family;
  const MetricValue* value = nullptr;
};

std::vector<MetricRow> rows_of(const Report& report, const std::string& filter) {
  std::vector<MetricRow> rows;
  for (const MetricGroup& group : report.metrics) {
    const std::size_t title = rows.size();
    for (const MetricValue& value : group.values) {
      if (contains_text(value.definition.name, filter) || contains_text(value.tag(), filter)) {
        if (rows.size() == title) rows.push_back({group.family, nullptr});
        rows.push_back({group.family, &value});
      }
    }
  }
  return rows;
}

std::string lane_name(const Report& report, std::uint32_t lane) {
  return lane < report.lanes.size() ? report.lanes[lane].name : "?";
}

/// A heading, and room for a drawing of that height below it; returns its upper left corner.
ImVec2 drawing(std::string_view title, float height, const ViewContext& context) {
  ImGui::PushFont(context.fonts.bold);
  colored_text(context.palette.text, title);
  ImGui::PopFont();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({std::max(1.0F, ImGui::GetContentRegionAvail().x), height});
  return at;
}

void write(const ImVec2& at, ImFont* font, const Color& color, const std::string& text) {
  ImGui::GetWindowDrawList()->AddText(font, size_px(font), at, color.packed(), text.data(),
                                      text.data() + text.size());
}

ImVec2 size_of(ImFont* font, const std::string& text) {
  return font->CalcTextSizeA(size_px(font), 1e6F, 0, text.data(), text.data() + text.size());
}

bool hovered(const ImVec2& least, const ImVec2& most) {
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(least, most);
}

}  // namespace

void OverlapView::draw(ViewContext& context) {
  const Report* report = shown_report(context);
  if (report == nullptr) return;
  const float room = ImGui::GetContentRegionAvail().x;
  const float gap = context.px(14);
  const float metrics = std::max(context.px(380), room * 0.4F);
  ImGui::BeginChild("##metrics", {std::min(metrics, room), 0});
  draw_metrics(*report, context);
  ImGui::EndChild();
  const float rest = (room - metrics - 2 * gap) / 2;
  if (rest < context.px(160)) return;
  ImGui::SameLine(0, gap);
  ImGui::BeginChild("##matrix", {rest, 0});
  draw_matrix(*report, context);
  ImGui::EndChild();
  ImGui::SameLine(0, gap);
  ImGui::BeginChild("##bars", {rest, 0});
  draw_concurrency(*report, context);
  draw_layers(*report, context);
  ImGui::EndChild();
}

void OverlapView::draw_metrics(const Report& report, const ViewContext& context) {
  const Palette& palette = context.palette;
  text_field("##metric filter", "filter metrics", filter_, context.px(220));
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  colored_text(palette.dim,
               fmt::format("over {} of {} timed steps", report.observed_steps, report.timed_steps));
  const std::vector<MetricRow> rows = rows_of(report, filter_);
  Table table("metrics", kMetricColumns, {}, context.frame.scale);
  if (!table) return;
  table.rows(rows.size(), [&](std::size_t row) {
    const MetricRow& each = rows[row];
    Table::cell();
    if (each.value == nullptr) {
      ImGui::PushFont(context.fonts.bold);
      colored_text(palette.text, each.family);
      ImGui::PopFont();
      return;
    }
    const MetricValue& value = *each.value;
    cut_text(palette.text, value.definition.name, ImGui::GetContentRegionAvail().x);
    tooltip(fmt::format("{}\n{}\n{} [{}]", value.definition.description, value.definition.formula,
                        value.tag(), unit_of(value.definition.hint)));
    Table::cell();
    if (value.known()) {
      right_text(palette.text, format_value(value.definition.hint, value.value));
    } else {
      right_text(palette.dim, name_of(value.state));
      tooltip(fmt::format("{}: {}", name_of(value.state), value.reason));
    }
    Table::cell();
    if (value.known() && value.spread) {
      right_text(palette.dim,
                 fmt::format("{} to {}", format_value(value.definition.hint, value.spread->p05),
                             format_value(value.definition.hint, value.spread->p95)));
    }
  });
}

void OverlapView::draw_matrix(const Report& report, ViewContext& context) const {
  const Palette& palette = context.palette;
  const std::size_t count = report.overlap_lanes.size();
  ImFont* font = context.fonts.small;
  float names = 0;
  for (const std::uint32_t lane : report.overlap_lanes)
    names = std::max(names, size_of(font, lane_name(report, lane)).x);
  names += context.px(8);
  const float row = context.px(22);
  const ImVec2 at = drawing("Overlap of pairs", row * static_cast<float>(count + 1), context);
  if (count == 0) {
    write(at, font, palette.dim, "absent: no stream ran anything");
    return;
  }
  const float room = ImGui::GetContentRegionAvail().x - names;
  const float cell = std::min(context.px(72), room / static_cast<float>(count));
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (std::size_t a = 0; a < count; ++a) {
    const float y = at.y + row * static_cast<float>(a + 1);
    const std::string name = lane_name(report, report.overlap_lanes[a]);
    write({at.x, y + context.px(4)}, font, palette.text, name);
    const float top = at.x + names + cell * static_cast<float>(a);
    draw.PushClipRect({top, at.y}, {top + cell - 2, at.y + row}, true);
    write({top, at.y + context.px(4)}, font, palette.text, name);
    draw.PopClipRect();
    for (std::size_t b = 0; b < count; ++b) {
      const ImVec2 least{at.x + names + cell * static_cast<float>(b), y};
      const ImVec2 most{least.x + cell - 2, least.y + row - 2};
      const bool told = a < report.overlap.size() && b < report.overlap[a].size();
      const std::optional<double> share = told ? report.overlap[a][b] : std::nullopt;
      const Color ground =
          share && a != b ? mixed(palette.lane, palette.accent, 0.75 * *share) : palette.lane;
      draw.AddRectFilled(least, most, ground.packed());
      const std::string told_share = share ? format_percentage(*share) : "-";
      const std::string text = a == b ? "" : told_share;
      const ImVec2 size = size_of(font, text);
      if (size.x < cell) {
        write({(least.x + most.x - size.x) / 2, (least.y + most.y - size.y) / 2}, font,
              share ? palette.text_on(ground) : palette.dim, text);
      }
      if (!hovered(least, most)) continue;
      const std::string other = lane_name(report, report.overlap_lanes[b]);
      const std::string tip =
          share ? fmt::format(
                      "{} and {} work at once for {} of the shorter one's busy time (median over "
                      "steps)",
                      name, other, told_share)
                : fmt::format("{} and {}: one of them never works", name, other);
      ImGui::SetTooltip("%s", tip.c_str());
    }
  }
}

void OverlapView::draw_concurrency(const Report& report, const ViewContext& context) const {
  const Palette& palette = context.palette;
  ImFont* font = context.fonts.small;
  const float row = context.px(17);
  const ImVec2 at = drawing(
      "Spans at once, share of the step",
      row * static_cast<float>(std::max<std::size_t>(1, report.concurrency.size())) + context.px(8),
      context);
  if (report.concurrency.empty()) {
    write(at, font, palette.dim, "unknown: no step's work was recorded");
    return;
  }
  const float names = context.px(24);
  const float values = context.px(54);
  const float room = std::max(1.0F, ImGui::GetContentRegionAvail().x - names - values);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  for (std::size_t n = 0; n < report.concurrency.size(); ++n) {
    const float y = at.y + row * static_cast<float>(n);
    const double share = report.concurrency[n];
    write({at.x, y}, font, palette.text, fmt::format("{}", n));
    const Color color = n == 0 ? palette.dim : palette.of_stream(n);
    draw.AddRectFilled(
        {at.x + names, y + 2},
        {at.x + names + room * static_cast<float>(std::clamp(share, 0.0, 1.0)), y + row - 3},
        color.packed(), 2);
    write({at.x + names + room + context.px(6), y}, font, palette.dim, format_percentage(share));
  }
}

void OverlapView::draw_layers(const Report& report, ViewContext& context) const {
  const Palette& palette = context.palette;
  constexpr auto kColumns = std::to_array<TableColumn>({
      {"layer", 0, false, "its tasks of all kinds"},
      {"busy", 88, true, "median over steps of its tasks' busy time, summed"},
      {"of work", 110, true, "its share of all work on streams"},
  });
  const double most = report.layers.empty() ? 1 : std::max(1e-9, report.layers.front().share);
  Table table("layers", kColumns, {}, context.frame.scale);
  if (!table) return;
  table.rows(report.layers.size(), [&](std::size_t row) {
    const ReportRollup& layer = report.layers[row];
    Table::cell();
    if (Table::pick("##layer", context.workbench.search == layer.name)) {
      context.commands.emit(command_id::kSearchFor, layer.name);
    }
    cut_text(palette.text, layer.name, ImGui::GetContentRegionAvail().x);
    Table::cell();
    right_text(palette.text, format_duration(layer.time_ns));
    Table::cell();
    bar_cell(layer.share / most, format_percentage(layer.share), palette.accent, palette);
  });
}

}  // namespace quintet::viewer
