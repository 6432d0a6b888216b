#include "viewer/views/range_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include "profiler/report/format.h"
#include "viewer/widgets/table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kLaneColumns = std::to_array<TableColumn>({
    {"lane", 0, false, "those with work in the range"},
    {"spans", 70, true, "that touch the range"},
    {"busy", 88, true, "length of the union of its spans within the range"},
    {"of range", 100, true, "busy time, of the range's length"},
    {"sum", 88, true, "of durations within the range"},
});

constexpr auto kRangeColumns = std::to_array<TableColumn>({
    {"task", 0, false, "longest sum first"},
    {"spans", 70, true, "that touch the range"},
    {"sum", 88, true, "of durations within the range"},
    {"mean", 88, true, "of durations within the range"},
    {"of sum", 100, true, "its sum, of all spans' sum"},
});

std::string duration(std::uint64_t ns) {
  return format_duration(static_cast<double>(ns));
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void RangeView::draw(ViewContext& context) {
  const auto* part = context.parts.find<TimelinePart>();
  if (part == nullptr || part->measured().empty()) {
    colored_text(context.palette.dim,
                 "Shift+drag over the timeline measures a range; M makes the next drag measure.");
    return;
  }
  const RangeStatistics* told = part->statistics();
  if (told == nullptr || part->side(part->measured_side()).index() == nullptr) {
    colored_text(context.palette.dim, "Counting...");
    return;
  }
  colored_text(context.palette.text,
               fmt::format("{}: {} long, {} spans of work, busy {}, sum {}, mean {}",
                           name_of(part->measured_side()),
                           duration(length_ns(told->range.begin, told->range.end)), told->spans,
                           duration(told->busy_ns), duration(told->sum_ns),
                           format_duration(told->mean_ns())));
  const float room = ImGui::GetContentRegionAvail().x;
  const float gap = context.px(14);
  ImGui::BeginChild("##lanes", {(room - gap) * 0.45F, 0});
  draw_lanes(*part, context);
  ImGui::EndChild();
  ImGui::SameLine(0, gap);
  ImGui::BeginChild("##tasks", {0, 0});
  draw_tasks(*part, context);
  ImGui::EndChild();
}

void RangeView::draw_lanes(const TimelinePart& part, const ViewContext& context) const {
  const RangeStatistics& told = *part.statistics();
  const TimelineIndex& index = *part.side(part.measured_side()).index();
  const std::uint64_t length = length_ns(told.range.begin, told.range.end);
  Table table("range lanes", kLaneColumns, {}, context.frame.scale);
  if (!table) return;
  table.rows(told.lanes.size(), [&](std::size_t row) {
    const LaneStatistics& lane = told.lanes[row];
    const Palette& palette = context.palette;
    Table::cell();
    cut_text(palette.text, index.lanes()[lane.lane].name, ImGui::GetContentRegionAvail().x);
    Table::cell();
    right_text(palette.text, fmt::format("{}", lane.spans));
    Table::cell();
    right_text(palette.text, duration(lane.busy_ns));
    Table::cell();
    const double of_range = share(lane.busy_ns, length);
    bar_cell(of_range, format_percentage(of_range), palette.accent, palette);
    Table::cell();
    right_text(palette.dim, duration(lane.sum_ns));
  });
}

void RangeView::draw_tasks(const TimelinePart& part, ViewContext& context) const {
  const RangeStatistics& told = *part.statistics();
  const Side side = part.measured_side();
  const Trace& trace = part.side(side).index()->trace();
  const Palette& palette = context.palette;
  if (told.tasks_left_out > 0) {
    colored_text(palette.dim, fmt::format("{} more tasks below these", told.tasks_left_out));
  }
  Table table("range tasks", kRangeColumns, {}, context.frame.scale);
  if (!table) return;
  table.rows(told.tasks.size(), [&](std::size_t row) {
    const TaskStatistics& task = told.tasks[row];
    const Selection& selection = context.workbench.selection;
    Table::cell();
    if (Table::pick("##task", selection.side == side && selection.task == task.task)) {
      if (const Document* document = context.workbench.document(side)) {
        context.commands.emit(command_id::kSelect,
                              select_task(*document, side, task.task, context.workbench.step));
      }
    }
    cut_text(palette.text, task.task < trace.tasks.size() ? trace.tasks[task.task].name : "unknown",
             ImGui::GetContentRegionAvail().x);
    Table::cell();
    right_text(palette.text, fmt::format("{}", task.spans));
    Table::cell();
    right_text(palette.text, duration(task.sum_ns));
    Table::cell();
    right_text(palette.dim, duration(task.spans == 0 ? 0 : task.sum_ns / task.spans));
    Table::cell();
    const double of_sum = share(task.sum_ns, told.sum_ns);
    bar_cell(of_sum, format_percentage(of_sum), palette.accent, palette);
  });
}

}  // namespace quintet::viewer
