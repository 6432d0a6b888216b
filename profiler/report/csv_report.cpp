#include "profiler/report/csv_report.h"

#include <fmt/format.h>
#include <initializer_list>

namespace quintet {

namespace {

std::string csv_cell(const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string text = "\"";
  for (const char each : cell) {
    if (each == '"') text += '"';
    text += each;
  }
  return text + "\"";
}

std::string line(std::initializer_list<std::string> cells) {
  std::string text;
  for (const std::string& cell : cells) {
    if (!text.empty()) text += ',';
    text += csv_cell(cell);
  }
  return text + "\n";
}

/// Shortest text that reads back as the same number.
std::string number(double value) {
  return fmt::format("{}", value);
}

}  // namespace

std::string metrics_csv(const Report& report) {
  std::string text =
      line({"tag", "name", "state", "value", "p05", "p95", "unit", "hint", "reason"});
  for (const MetricGroup& group : report.metrics) {
    for (const MetricValue& metric : group.values) {
      text += line({metric.tag(), metric.definition.name, std::string(name_of(metric.state)),
                    metric.known() ? number(metric.value) : "",
                    metric.spread ? number(metric.spread->p05) : "",
                    metric.spread ? number(metric.spread->p95) : "",
                    std::string(unit_of(metric.definition.hint)),
                    std::string(name_of(metric.definition.hint)), metric.reason});
    }
  }
  return text;
}

std::string tasks_csv(const Report& report) {
  std::string text = line({"task", "layer", "op_kind", "part", "graph", "lane", "family", "runs",
                           "time_ns_median", "time_ns_p05", "time_ns_p95", "share", "slack_ns",
                           "critical", "flops", "bytes", "placement_reason"});
  for (const ReportTask& task : report.tasks) {
    text += line({task.name, task.layer, task.op_kind, task.part, task.graph, task.lane,
                  std::string(name_of(task.family)), std::to_string(task.runs),
                  task.runs > 0 ? number(task.time_ns.median) : "",
                  task.runs > 0 ? number(task.time_ns.p05) : "",
                  task.runs > 0 ? number(task.time_ns.p95) : "", number(task.share),
                  task.slack_known ? number(task.slack_ns) : "",
                  task.slack_known ? number(task.critical) : "", number(task.flops),
                  number(task.bytes), task.placement_reason});
  }
  return text;
}

std::string csv_report(const Report& report) {
  return metrics_csv(report) + "\n" + tasks_csv(report);
}

}  // namespace quintet
