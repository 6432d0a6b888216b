#include "viewer/views/compare_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "profiler/compare/change_format.h"
#include "profiler/report/format.h"
#include "viewer/model/comparison_keeper.h"
#include "viewer/model/fuzzy_match.h"
#include "viewer/model/start_list.h"
#include "viewer/widgets/table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kComparedTaskColumns = std::to_array<TableColumn>({
    {"task", 0, false, "aligned by what it does, not by its place"},
    {"stream A", 82, false, ""},
    {"stream B", 82, false, ""},
    {"A", 82, true, "median busy time a step"},
    {"B", 82, true, "median busy time a step"},
    {"difference", 200, true, "B less A, with its 95 % confidence interval"},
    {"relative", 180, true, ""},
    {"significant", 120, false, "after correcting for the number of rows"},
});

constexpr auto kLayerColumns = std::to_array<TableColumn>({
    {"layer", 0, false, ""},
    {"A", 90, true, "median of the summed busy time a step"},
    {"B", 90, true, ""},
    {"difference", 210, true, "B less A, with its 95 % confidence interval"},
    {"relative", 180, true, ""},
    {"significant", 120, false, "after correcting for the number of rows"},
});

constexpr auto kComparedMetricColumns = std::to_array<TableColumn>({
    {"metric", 0, false, ""},
    {"A", 110, true, ""},
    {"B", 110, true, ""},
    {"change", 230, true, "with its 95 % confidence interval"},
    {"significant", 160, false, "after correcting for the number of rows"},
});

constexpr auto kUnmatchedColumns = std::to_array<TableColumn>({
    {"only in", 60, false, ""},
    {"task", 0, false, ""},
    {"stream", 100, false, ""},
    {"busy", 100, true, "median a step in which it ran"},
});

/// Less time is better; what may be chance has no colour.
Color tone_of(const TestedChange& tested, const Palette& palette) {
  if (!tested.significant) return palette.dim;
  return tested.change.difference.value < 0 ? palette.good : palette.bad;
}

void draw_change_cells(const TestedChange& tested, ViewContext& context) {
  const Palette& palette = context.palette;
  Table::cell();
  right_text(palette.text, format_duration(tested.change.before));
  Table::cell();
  right_text(palette.text, format_duration(tested.change.after));
  Table::cell();
  right_text(tone_of(tested, palette), format_difference(MetricHint::duration, tested.change));
  Table::cell();
  right_text(tone_of(tested, palette), format_ratio(tested.change));
  Table::cell();
  cut_text(palette.dim, format_significance(tested), ImGui::GetContentRegionAvail().x);
}

/// What stands in the way of the comparison: the gravest, and how many more.
void draw_caveats(const Comparison& comparison, ViewContext& context) {
  constexpr std::size_t kMost = 3;
  const std::vector<Caveat>& caveats = comparison.caveats;
  // One line tells of one more as well as that caveat itself would.
  const std::size_t shown = caveats.size() <= kMost + 1 ? caveats.size() : kMost;
  const Palette& palette = context.palette;
  std::string more;
  for (std::size_t index = 0; index < caveats.size(); ++index) {
    const Caveat& caveat = caveats[index];
    if (index >= shown) {
      more += (more.empty() ? "" : "\n") + caveat.message;
      continue;
    }
    wrapped_text(caveat.refuses ? palette.bad : palette.warn, caveat.message);
    tooltip(caveat.cure);
  }
  if (more.empty()) return;
  colored_text(palette.warn, fmt::format("and {} more", caveats.size() - shown));
  tooltip(more);
}

/// One side is predicted: what is measured while it is traced would be no match for it.
void draw_predicted_head(const PredictedChange& step, ViewContext& context) {
  const Palette& palette = context.palette;
  const auto time = [&](Side side, double step_ns) {
    return fmt::format("{} {}{}", name_of(side), format_duration(step_ns),
                       step.predicted == side ? " predicted" : "");
  };
  colored_text(palette.dim, "step, untraced");
  ImGui::SameLine();
  ImGui::PushFont(context.fonts.bold);
  colored_text(palette.of(Side::a), time(Side::a, step.before_ns));
  ImGui::SameLine();
  colored_text(palette.of(Side::b), time(Side::b, step.after_ns));
  ImGui::SameLine(0, context.px(16));
  colored_text(!step.told()       ? palette.text
               : step.ratio() < 0 ? palette.good
                                  : palette.bad,
               fmt::format("{:+.2f} %", 100 * step.ratio()));
  ImGui::PopFont();
  ImGui::SameLine(0, context.px(16));
  colored_text(palette.dim,
               step.error_share
                   ? fmt::format("expect an error of +- {:.1f} %", 100 * *step.error_share)
                   : std::string("the error of the prediction is unknown"));
}

void draw_head(const Comparison& comparison, ViewContext& context) {
  const Palette& palette = context.palette;
  if (const auto step = predicted_change(comparison)) {
    draw_predicted_head(*step, context);
    draw_caveats(comparison, context);
    return;
  }
  if (!comparison.step_time) {
    colored_text(palette.warn, "The step times cannot be compared: a side has no step.");
    return;
  }
  const SeriesChange& step = *comparison.step_time;
  const bool told = step.excludes_zero();
  colored_text(palette.dim, "step");
  ImGui::SameLine();
  ImGui::PushFont(context.fonts.bold);
  colored_text(palette.of(Side::a), "A " + format_duration(step.before));
  ImGui::SameLine();
  colored_text(palette.of(Side::b), "B " + format_duration(step.after));
  ImGui::SameLine(0, context.px(16));
  colored_text(!told                       ? palette.text
               : step.difference.value < 0 ? palette.good
                                           : palette.bad,
               format_difference(MetricHint::duration, step) + "   " + format_ratio(step));
  ImGui::PopFont();
  tooltip(method_text(comparison));
  ImGui::SameLine(0, context.px(16));
  colored_text(palette.dim, !step.bounded ? "too few steps for an interval"
                            : told        ? "beyond chance"
                                          : "may be chance");
  draw_caveats(comparison, context);
}

/// What came with the program of the same work: one click to the first comparison.
void draw_offers(ViewContext& context) {
  const auto* list = context.parts.find<StartList>();
  const Document* document = context.workbench.main_document();
  if (list == nullptr || document == nullptr) return;
  const RecordedMatrix& matrix = list->recorded();
  const std::vector<std::size_t> others = others_of_row(matrix, document->file);
  if (others.empty()) return;
  colored_text(context.palette.dim, "Recorded of the same work; a click opens it as B:");
  for (const std::size_t other : others) {
    const RecordedEntry& entry = matrix.entries[other];
    const std::string time =
        entry.untraced_step_ns ? format_duration(static_cast<double>(*entry.untraced_step_ns)) : "";
    const std::string label = fmt::format("{}, {}  {}", entry.policy, entry.step_mode, time);
    if (ImGui::Button((label + "##" + entry.name).c_str(), {context.px(330), 0})) {
      context.commands.emit(command_id::kOpenFile, OpenFile{entry.file, Side::b});
    }
  }
}

}  // namespace

void CompareView::draw(ViewContext& context) {
  const auto* keeper = context.parts.find<ComparisonKeeper>();
  if (keeper == nullptr || !context.workbench.both_open()) {
    wrapped_text(context.palette.dim,
                 "Open a second recording beside this one (Ctrl+Shift+O, or drop two files): the "
                 "difference is tested for significance, task by task.");
    draw_offers(context);
    return;
  }
  if (keeper->comparison() == nullptr) {
    colored_text(context.palette.dim, keeper->failure().empty()
                                          ? "A and B are being compared..."
                                          : "They could not be compared: " + keeper->failure());
    return;
  }
  draw_head(*keeper->comparison(), context);
  draw_parts(*keeper->comparison(), context);
}

void CompareView::draw_parts(const Comparison& comparison, ViewContext& context) {
  const auto choose = [&](const std::string& label, Part part) {
    if (segment_button(label.c_str(), part_ == part, context.palette)) part_ = part;
    ImGui::SameLine(0, context.px(2));
  };
  choose(fmt::format("Tasks {}", comparison.tasks.size()), Part::tasks);
  choose(fmt::format("Layers {}", comparison.layers.size()), Part::layers);
  choose(fmt::format("Metrics {}", comparison.metrics.size()), Part::metrics);
  choose(fmt::format("Only one side {}", comparison.only_a.size() + comparison.only_b.size()),
         Part::unmatched);
  ImGui::SameLine(0, context.px(12));
  text_field("##filter", "filter", filter_, context.px(180));
  ImGui::SameLine();
  ImGui::Checkbox("significant", &significant_only_);
  if (part_ == Part::tasks) {
    ImGui::SameLine();
    ImGui::Checkbox("moved stream", &moved_only_);
  }
  switch (part_) {
    case Part::tasks:
      draw_tasks(comparison, context);
      break;
    case Part::layers:
      draw_layers(comparison, context);
      break;
    case Part::metrics:
      draw_metrics(comparison, context);
      break;
    case Part::unmatched: {
      Table table("unmatched", kUnmatchedColumns, {}, context.frame.scale);
      if (!table) break;
      const std::size_t in_a = comparison.only_a.size();
      table.rows(in_a + comparison.only_b.size(), [&](std::size_t row) {
        const UnmatchedTask& task =
            row < in_a ? comparison.only_a[row] : comparison.only_b[row - in_a];
        Table::cell();
        colored_text(context.palette.of(row < in_a ? Side::a : Side::b), row < in_a ? "A" : "B");
        Table::cell();
        cut_text(context.palette.text, task.name, ImGui::GetContentRegionAvail().x);
        Table::cell();
        colored_text(context.palette.dim, task.lane);
        Table::cell();
        right_text(context.palette.text, format_duration(task.time_ns));
      });
      break;
    }
  }
}

void CompareView::draw_tasks(const Comparison& comparison, ViewContext& context) {
  std::vector<const TaskChange*> rows;
  for (const TaskChange& change : comparison.tasks) {
    if (moved_only_ && !change.moved_stream()) continue;
    if (significant_only_ && !change.time.significant) continue;
    if (contains_text(change.task.name, filter_)) rows.push_back(&change);
  }
  Table table("tasks", kComparedTaskColumns, {}, context.frame.scale);
  if (!table) return;
  const Palette& palette = context.palette;
  table.rows(rows.size(), [&](std::size_t row) {
    const TaskChange& change = *rows[row];
    Table::cell();
    cut_text(palette.text, change.task.name, ImGui::GetContentRegionAvail().x);
    if (change.moved_on_path()) tooltip("it moved onto or off the critical path");
    Table::cell();
    colored_text(palette.dim, change.lane_a);
    Table::cell();
    colored_text(change.moved_stream() ? palette.accent : palette.dim, change.lane_b);
    draw_change_cells(change.time, context);
  });
}

void CompareView::draw_layers(const Comparison& comparison, ViewContext& context) {
  std::vector<const LayerChange*> rows;
  for (const LayerChange& change : comparison.layers) {
    if (significant_only_ && !change.time.significant) continue;
    if (contains_text(change.name, filter_)) rows.push_back(&change);
  }
  Table table("layers", kLayerColumns, {}, context.frame.scale);
  if (!table) return;
  table.rows(rows.size(), [&](std::size_t row) {
    Table::cell();
    cut_text(context.palette.text, rows[row]->name.empty() ? "no layer" : rows[row]->name,
             ImGui::GetContentRegionAvail().x);
    draw_change_cells(rows[row]->time, context);
  });
}

void CompareView::draw_metrics(const Comparison& comparison, ViewContext& context) {
  std::vector<const MetricChange*> rows;
  for (const MetricChange& change : comparison.metrics) {
    if (significant_only_ && !(change.value && change.value->significant)) continue;
    if (contains_text(change.definition.name + " " + change.definition.tag, filter_))
      rows.push_back(&change);
  }
  Table table("metrics", kComparedMetricColumns, {}, context.frame.scale);
  if (!table) return;
  const Palette& palette = context.palette;
  table.rows(rows.size(), [&](std::size_t row) {
    const MetricChange& change = *rows[row];
    const MetricHint hint = change.definition.hint;
    Table::cell();
    cut_text(palette.text, change.definition.name, ImGui::GetContentRegionAvail().x);
    tooltip(change.definition.description + "\n" + change.definition.tag);
    const auto value_cell = [&](const std::optional<double>& value, MetricState state) {
      Table::cell();
      right_text(value ? palette.text : palette.dim,
                 value ? format_value(hint, *value) : std::string(name_of(state)));
      if (!value) tooltip(change.reason);
    };
    value_cell(change.a, change.state_a);
    value_cell(change.b, change.state_b);
    Table::cell();
    if (change.value) {
      right_text(change.value->significant ? palette.text : palette.dim,
                 format_change(hint, change.value->change));
    }
    Table::cell();
    if (change.value) {
      cut_text(palette.dim, format_significance(*change.value), ImGui::GetContentRegionAvail().x);
    }
  });
}

}  // namespace quintet::viewer
