#include "profiler/report/text_report.h"

#include <algorithm>
#include <fmt/format.h>

#include "profiler/report/format.h"
#include "profiler/report/terminal_timeline.h"
#include "profiler/report/text_table.h"

namespace quintet {

namespace {

std::string heading(const std::string& title) {
  return "\n" + title + "\n";
}

std::string header(const Report& report) {
  std::string text;
  const auto line = [&text](const std::string& key, const std::string& value) {
    if (!value.empty()) text += fmt::format("  {:<12}{}\n", key, value);
  };
  const auto joined = [&report](std::initializer_list<const char*> keys) {
    std::string value;
    for (const char* key : keys) {
      const std::string part = report.said(key);
      if (part.empty()) continue;
      if (!value.empty()) value += ", ";
      value += part;
    }
    return value;
  };
  const std::string scenario = report.said("scenario");
  text += scenario.empty() ? "Recording\n" : scenario + "\n";
  line("policy", joined({"policy", "step_mode", "sync", "gradients"}));
  line("executor", joined({"executor", "lowering", "machine"}));
  const bool generated = report.said("data_generated") == "true";
  line("data", report.said("data") + (generated ? ", generated" : ""));
  line("recorded", report.said("started"));
  line("verdict", report.said("verdict"));
  if (report.state != RecordingState::complete) {
    line("state", std::string(name_of(report.state)) + ": this recording is incomplete");
  }
  return text;
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
    text += fmt::format("  {:<12}{}\n", "accuracy", accuracy);
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
      content = pad_right(content, name_width + 4) + reason->second;
      ++reason;
    }
    text += content + "\n";
    begin = end + 1;
  }
  return text;
}

std::string wait_table(const Report& report, const TextOptions& options) {
  std::vector<std::vector<std::string>> rows;
  for (const LaneWaits& waits : report.waits) {
    if (waits.busy_ns == 0) continue;
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
  return text_table(columns, rows, options.unicode, options.width);
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
    if (task.runs == 0) continue;
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

std::string finding_lines(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += fmt::format("  {}: {}: {}", name_of(finding.severity), finding.name, finding.message);
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
  return heading(fmt::format("Timeline of step {}{}, {}", timeline.step,
                             median ? ", the median one" : "",
                             format_duration(static_cast<double>(timeline.length_ns)))) +
         terminal_timeline(report, timeline, {options.width, options.unicode});
}

std::string text_report(const Report& report, const TextOptions& options) {
  std::string text = header(report) + result_lines(report);
  text += text_timeline(report, options);
  text += heading(fmt::format("Metrics over {} timed steps", report.timed_steps));
  text += metric_table(report, options);
  if (!report.waits.empty()) {
    text += heading("Where the streams' time goes, mean per step");
    text += wait_table(report, options);
  }
  if (!report.layers.empty()) {
    text += heading("Layers") + rollup_table(report.layers, "layer", options);
    text += heading("Op kinds") + rollup_table(report.op_kinds, "op kind", options);
    text += heading("Tasks") + task_table(report, options);
  }
  if (!report.findings.empty()) text += heading("Findings") + finding_lines(report);
  return text;
}

}  // namespace quintet
