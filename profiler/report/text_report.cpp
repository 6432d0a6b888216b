#include "profiler/report/text_report.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "profiler/report/format.h"
#include "profiler/report/range_section.h"
#include "profiler/report/report_header.h"
#include "profiler/report/terminal_timeline.h"
#include "profiler/report/text_table.h"
#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

constexpr std::size_t kMostStreams = 32;  // rows of the table of waits

std::string heading(const std::string& title) {
  return "\n" + title + "\n";
}

/// Kinds of what a host does beside the work, of which an import has thousands.
bool accompanies(std::string_view op_kind) {
  constexpr auto kKinds = std::to_array<std::string_view>(
      {"HOST_RANGE", "HOST_STARTED_RANGE", "HOST_OVERHEAD", "API_CALL"});
  return std::find(kKinds.begin(), kKinds.end(), op_kind) != kKinds.end();
}

std::string last_loss(const Report& report) {
  for (auto step = report.steps.rbegin(); step != report.steps.rend(); ++step) {
    if (step->phase == "train" && step->loss) return fmt::format("{:.6g}", *step->loss);
  }
  return {};
}

std::string result_lines(const Report& report) {
  std::string text;
  if (const std::string loss = last_loss(report); !loss.empty()) {
    text += fmt::format("  {:<12}{}\n", "last loss", loss);
  }
  if (const std::string accuracy = report.said("test_accuracy"); !accuracy.empty()) {
    text += fmt::format("  {:<12}{}\n", "accuracy", visible_text(accuracy));
  }
  return text;
}

std::string metric_table(const Report& report, const TextOptions& options) {
  std::vector<std::vector<std::string>> rows;
  for (const MetricGroup& group : report.metrics) {
    if (group.values.empty()) continue;
    if (!rows.empty()) rows.emplace_back();
    for (const MetricValue& metric : group.values) {
      const MetricHint hint = metric.definition.hint;
      std::vector<std::string> row{metric.definition.name, format_metric(metric)};
      if (metric.spread) {
        row.push_back(format_value(hint, metric.spread->p05));
        row.push_back(format_value(hint, metric.spread->p95));
      } else if (!metric.known()) {
        row[1] = std::string(name_of(metric.state)) + ": " + metric.reason;
      }
      rows.push_back(std::move(row));
    }
  }
  // Reasons are sentences: they may run on beyond their column, so they do not widen the table.
  std::vector<std::pair<std::size_t, std::string>> reasons;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    if (rows[index].size() == 2 && rows[index][1].find(": ") != std::string::npos) {
      reasons.emplace_back(index, rows[index][1]);
      rows[index].pop_back();
    }
  }
  std::string table = text_table({{"metric", ColumnAlign::left},
                                  {"median", ColumnAlign::right},
                                  {"p05", ColumnAlign::right},
                                  {"p95", ColumnAlign::right}},
                                 rows, options.unicode);
  std::string text;
  std::size_t line = 0;
  std::size_t begin = 0;
  std::size_t name_width = 0;
  for (const auto& row : rows) {
    if (!row.empty()) name_width = std::max(name_width, display_width(row[0]));
  }
  for (auto reason = reasons.begin(); begin < table.size(); ++line) {
    const std::size_t end = table.find('\n', begin);
    std::string content = table.substr(begin, end - begin);
    if (reason != reasons.end() && line == reason->first + 2) {  // below title and rule
      content = pad_right(content, name_width + 4) + visible_text(reason->second);
      ++reason;
    }
    text += content + "\n";
    begin = end + 1;
  }
  return text;
}

std::string wait_table(const Report& report, const TextOptions& options) {
  std::vector<std::vector<std::string>> rows;
  std::vector<LaneWaits> busiest = report.waits;
  std::erase_if(busiest, [](const LaneWaits& waits) { return waits.busy_ns == 0; });
  const std::size_t used = busiest.size();
  if (used > kMostStreams) {
    std::stable_sort(busiest.begin(), busiest.end(),
                     [](const LaneWaits& a, const LaneWaits& b) { return a.busy_ns > b.busy_ns; });
    busiest.resize(kMostStreams);
  }
  for (const LaneWaits& waits : busiest) {
    std::vector<std::string> row{report.lanes[waits.lane].name, format_duration(waits.busy_ns)};
    for (const double time : waits.wait_ns)
      row.push_back(format_duration(time));
    rows.push_back(std::move(row));
  }
  std::vector<TextColumn> columns{{"stream", ColumnAlign::left}, {"busy", ColumnAlign::right}};
  for (const WaitCause cause : kWaitCauses) {
    std::string title(name_of(cause));
    std::replace(title.begin(), title.end(), '_', ' ');
    columns.push_back({title, ColumnAlign::right});
  }
  std::string text = text_table(columns, rows, options.unicode, options.width);
  if (used > rows.size()) {
    text += fmt::format("  {} less busy ones in the JSON and HTML reports\n", used - rows.size());
  }
  return text;
}

std::string rollup_table(const std::vector<ReportRollup>& rollups, const std::string& title,
                         const TextOptions& options) {
  std::vector<std::vector<std::string>> rows;
  for (const ReportRollup& rollup : rollups) {
    rows.push_back({rollup.name, std::to_string(rollup.tasks), format_duration(rollup.time_ns),
                    format_percentage(rollup.share)});
  }
  return text_table({{title, ColumnAlign::left},
                     {"tasks", ColumnAlign::right},
                     {"per step", ColumnAlign::right},
                     {"of work", ColumnAlign::right}},
                    rows, options.unicode, options.width);
}

std::string task_table(const Report& report, const TextOptions& options) {
  std::vector<std::vector<std::string>> rows;
  for (const ReportTask& task : report.tasks) {
    if (rows.size() == options.rows) break;
    if (task.runs == 0 || accompanies(task.op_kind)) continue;
    rows.push_back({task.name, task.lane, format_duration(task.time_ns.median),
                    format_duration(task.time_ns.p95), format_percentage(task.share),
                    task.slack_known ? format_duration(task.slack_ns) : std::string()});
  }
  std::string text = text_table({{"task", ColumnAlign::left},
                                 {"stream", ColumnAlign::left},
                                 {"median", ColumnAlign::right},
                                 {"p95", ColumnAlign::right},
                                 {"of step", ColumnAlign::right},
                                 {"slack", ColumnAlign::right}},
                                rows, options.unicode, options.width);
  if (report.tasks.size() > rows.size()) {
    text +=
        fmt::format("  {} more in the JSON and HTML reports\n", report.tasks.size() - rows.size());
  }
  return text;
}

std::string dimensions(const std::array<std::uint32_t, 3>& size) {
  return size[1] == 1 && size[2] == 1 ? std::to_string(size[0]) : format_extent(size);
}

std::string kernel_table(const Report& report, const TextOptions& options) {
  constexpr std::size_t kRows = 10;
  const std::vector<ReportKernel>& kernels = report.device_tables.kernels;
  std::vector<std::vector<std::string>> rows;
  for (const ReportKernel& kernel : kernels) {
    if (rows.size() == kRows) break;
    std::vector<std::string> row{short_kernel_name(kernel.name), format_number(kernel.count),
                                 format_duration(kernel.time_ns), format_duration(kernel.mean_ns),
                                 format_percentage(kernel.share)};
    if (kernel.launch) {
      row.push_back(dimensions(kernel.launch->grid));
      row.push_back(dimensions(kernel.launch->block));
      row.push_back(std::to_string(kernel.launch->registers));
      row.push_back(kernel.launch->occupancy ? format_percentage(*kernel.launch->occupancy)
                                             : std::string());
      row.push_back(kernel.shapes > 1 ? fmt::format("of {}", kernel.shapes) : std::string());
    }
    rows.push_back(std::move(row));
  }
  std::string text = text_table({{"kernel", ColumnAlign::left},
                                 {"count", ColumnAlign::right},
                                 {"time", ColumnAlign::right},
                                 {"mean", ColumnAlign::right},
                                 {"share", ColumnAlign::right},
                                 {"grid", ColumnAlign::right},
                                 {"block", ColumnAlign::right},
                                 {"regs", ColumnAlign::right},
                                 {"occupancy", ColumnAlign::right},
                                 {"shapes", ColumnAlign::right}},
                                rows, options.unicode, options.width);
  if (kernels.size() > rows.size()) {
    text += fmt::format("  {} more in the JSON and HTML reports\n", kernels.size() - rows.size());
  }
  return text;
}

/// The busiest streams; an executed graph may spread over more than a hundred.
std::string stream_table(const Report& report, const TextOptions& options) {
  std::vector<ReportStream> streams = report.device_tables.streams;
  std::stable_sort(
      streams.begin(), streams.end(),
      [](const ReportStream& a, const ReportStream& b) { return a.busy_ns > b.busy_ns; });
  std::vector<std::vector<std::string>> rows;
  for (const ReportStream& stream : streams) {
    if (rows.size() == options.rows) break;
    rows.push_back({report.lanes[stream.lane].name, format_number(stream.kernels),
                    format_number(stream.memcpys), format_number(stream.memsets),
                    format_duration(stream.busy_ns)});
  }
  std::string text = text_table({{"stream", ColumnAlign::left},
                                 {"kernels", ColumnAlign::right},
                                 {"copies", ColumnAlign::right},
                                 {"fills", ColumnAlign::right},
                                 {"busy", ColumnAlign::right}},
                                rows, options.unicode, options.width);
  if (streams.size() > rows.size()) {
    text += fmt::format("  {} more in the JSON and HTML reports\n", streams.size() - rows.size());
  }
  return text;
}

std::string per_step(const Report& report) {
  return report.basis == WindowBasis::whole_range ? "whole range" : "mean per step";
}

std::string device_sections(const Report& report, const TextOptions& options) {
  const DeviceTables& tables = report.device_tables;
  if (tables.streams.empty()) return {};
  const std::string over = tables.steps > 0 ? per_step(report) : "whole recording";
  std::string text = heading("Device work by stream, " + over) + stream_table(report, options);
  if (!tables.kernels.empty()) {
    text += heading("Kernels, " + over) + kernel_table(report, options);
  }
  return text;
}

/// What the values of the metrics rest on.
std::string metrics_heading(const Report& report) {
  switch (report.basis) {
    case WindowBasis::steady_steps: {
      std::string title = fmt::format("Metrics over {} timed steps", report.timed_steps);
      if (report.observed_steps < report.timed_steps && report.observed_steps > 0) {
        title += fmt::format(", the work of {} of them recorded", report.observed_steps);
      }
      return heading(title);
    }
    case WindowBasis::all_steps:
      return heading(
          fmt::format("Metrics over all {} steps, warm-up included", report.timed_steps));
    case WindowBasis::whole_range:
      return heading("Metrics over the whole range, which names no step");
  }
  return {};
}

std::string finding_lines(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += fmt::format("  {}: {}: {}", name_of(finding.severity), visible_text(finding.name),
                        visible_text(finding.message));
    if (finding.count != 1) text += fmt::format(" ({} times)", finding.count);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string text_timeline(const Report& report, const TextOptions& options) {
  const bool median = !report.timelines.empty() && report.timelines.front().label == "median";
  if (report.timelines.empty()) return heading("Timeline") + "  no step was recorded\n";
  const StepTimeline& timeline = report.timelines.front();
  const std::string what =
      report.basis == WindowBasis::whole_range
          ? "Timeline of the whole range"
          : fmt::format("Timeline of step {}{}", timeline.step, median ? ", the median one" : "");
  return heading(what + ", " + format_duration(static_cast<double>(timeline.length_ns))) +
         terminal_timeline(report, timeline, {options.width, options.unicode});
}

std::string text_report(const Report& report, const TextOptions& options) {
  std::string text = report_header(report) + result_lines(report);
  text += text_timeline(report, options);
  text += metrics_heading(report) + metric_table(report, options);
  if (!report.waits.empty()) {
    text += heading("Where the streams' time goes, " + per_step(report));
    text += wait_table(report, options);
  }
  text += device_sections(report, options);
  text += range_section(report, options);
  if (!report.layers.empty()) {
    text += heading("Layers") + rollup_table(report.layers, "layer", options);
  }
  if (!report.op_kinds.empty()) {
    text += heading("Op kinds") + rollup_table(report.op_kinds, "op kind", options);
    text += heading("Tasks") + task_table(report, options);
  }
  if (!report.findings.empty()) text += heading("Findings") + finding_lines(report);
  return text;
}

}  // namespace quintet
