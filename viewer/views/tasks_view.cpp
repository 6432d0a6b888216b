#include "viewer/views/tasks_view.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>

#include "profiler/report/format.h"
#include "viewer/model/document_reports.h"
#include "viewer/model/fuzzy_match.h"
#include "viewer/views/shown_report.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kTaskListColumns = std::to_array<TableColumn>({
    {"task", 0, false, "layer, op and part"},
    {"stream", 78, false, "where the policy put it"},
    {"busy", 84, true, "median over steps of the time that its kernels take"},
    {"5 % to 95 %", 140, true, "quantiles over steps"},
    {"of step", 92, true, "its busy time, of the step time"},
    {"critical", 72, true, "share of its runs that were on the critical path"},
    {"slack", 84, true, "how much later it could end without a longer step; median"},
    {"FLOP/s", 104, true, "operations over busy time"},
    {"B/s", 92, true, "bytes over busy time"},
});

constexpr double kSecond = 1e9;

double rate(double amount, const ReportTask& task) {
  return task.time_ns.median > 0 ? amount / task.time_ns.median * kSecond : 0;
}

/// What a column sorts by; texts come apart.
double number_of(const ReportTask& task, int column) {
  switch (column) {
    case 2:
      return task.time_ns.median;
    case 3:
      return task.time_ns.p95 - task.time_ns.p05;
    case 4:
      return task.share;
    case 5:
      return task.critical;
    case 6:
      return task.slack_known ? task.slack_ns : -1;
    case 7:
      return rate(task.flops, task);
    case 8:
      return rate(task.bytes, task);
    default:
      return 0;
  }
}

bool before(const ReportTask& a, const ReportTask& b, int column) {
  if (column == 0) return a.name < b.name;
  if (column == 1) return a.lane < b.lane;
  return number_of(a, column) < number_of(b, column);
}

}  // namespace

std::vector<std::size_t> sorted_tasks(const Report& report, const std::string& filter,
                                      const TableSort& sort) {
  std::vector<std::size_t> order;
  for (std::size_t task = 0; task < report.tasks.size(); ++task) {
    const ReportTask& row = report.tasks[task];
    const bool shown = contains_text(row.name, filter) || contains_text(row.lane, filter) ||
                       contains_text(row.op_kind, filter) || contains_text(row.layer, filter);
    if (shown) order.push_back(task);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const ReportTask& one = report.tasks[sort.descending ? b : a];
    const ReportTask& other = report.tasks[sort.descending ? a : b];
    return before(one, other, sort.column);
  });
  return order;
}

void TasksView::draw(ViewContext& context) {
  const Side side = context.workbench.main_side();
  const auto* reports = context.parts.find<DocumentReports>();
  const Report* report = shown_report(context);
  if (report == nullptr) return;
  text_field("##filter", "filter by task, layer, op or stream", filter_, context.px(260));
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  colored_text(context.palette.dim,
               fmt::format("{} of {} tasks, over {} of {} timed steps", order_.size(),
                           report->tasks.size(), report->observed_steps, report->timed_steps));
  Table table("tasks", kTaskListColumns, {true, {4, true}, 0}, context.frame.scale);
  if (!table) return;
  const Key key = {reports->generation(side), filter_, table.sort()};
  if (key != key_) {
    key_ = key;
    order_ = sorted_tasks(*report, filter_, table.sort());
  }
  table.rows(order_.size(), [&](std::size_t row) {
    draw_row(report->tasks[order_[row]], *report, side, context);
  });
}

void TasksView::draw_row(const ReportTask& task, const Report& report, Side side,
                         ViewContext& context) {
  const Palette& palette = context.palette;
  const Selection& selection = context.workbench.selection;
  Table::cell();
  const bool picked = selection.side == side && selection.task == task.index;
  if (Table::pick("##row", picked)) {
    const Document* document = context.workbench.document(side);
    if (document != nullptr) {
      context.commands.emit(command_id::kSelect,
                            select_task(*document, side, task.index, context.workbench.step));
    }
  }
  color_mark(palette.of(task.family), context.frame.scale);
  cut_text(palette.text, task.name, ImGui::GetContentRegionAvail().x);
  Table::cell();
  colored_text(palette.text, task.lane.empty() ? "-" : task.lane);
  tooltip(task.placement_reason);
  Table::cell();
  const bool timed = task.time_ns.count > 0;
  right_text(timed ? palette.text : palette.dim,
             timed ? format_duration(task.time_ns.median) : "not timed");
  Table::cell();
  if (timed) {
    right_text(palette.dim,
               format_duration(task.time_ns.p05) + " to " + format_duration(task.time_ns.p95));
  }
  Table::cell();
  const double most = report.tasks.empty() ? 0 : report.tasks.front().share;
  bar_cell(most > 0 ? task.share / most : 0, format_percentage(task.share), palette.of(task.family),
           palette);
  Table::cell();
  right_text(task.slack_known ? palette.text : palette.dim,
             task.slack_known ? format_percentage(task.critical) : "unknown");
  Table::cell();
  right_text(task.slack_known ? palette.text : palette.dim,
             task.slack_known ? format_duration(task.slack_ns) : "unknown");
  Table::cell();
  const auto per_second = [&](double amount, const char* unit) {
    right_text(amount > 0 && timed ? palette.text : palette.dim,
               amount > 0 && timed ? format_per_second(rate(amount, task), unit) : "unknown");
  };
  per_second(task.flops, "FLOP");
  Table::cell();
  per_second(task.bytes, "B");
}

}  // namespace quintet::viewer
