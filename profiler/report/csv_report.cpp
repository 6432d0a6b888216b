#include "profiler/report/csv_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

#include "profiler/report/format.h"
#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

/// What spreadsheets skip before they look whether a formula begins: blanks, quotes, a byte order mark.
constexpr auto kSkippedByFormulas = std::to_array<std::string_view>(
    {" ", "\"", "'", "\t", "\r", "\n", "\u00A0", "\u3000", "\uFEFF", "\u200B"});
/// What a formula begins with; the wide forms count in East Asian versions.
constexpr auto kFormulas =
    std::to_array<std::string_view>({"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"});

bool looks_like_a_formula(std::string_view text) {
  if (text.starts_with('\t') || text.starts_with('\r') || text.starts_with('\n')) return true;
  const auto begins_with = [&text](std::string_view each) { return text.starts_with(each); };
  for (auto skipped = kSkippedByFormulas.begin(); skipped != kSkippedByFormulas.end();) {
    skipped = std::find_if(kSkippedByFormulas.begin(), kSkippedByFormulas.end(), begins_with);
    if (skipped != kSkippedByFormulas.end()) text.remove_prefix(skipped->size());
  }
  return std::any_of(kFormulas.begin(), kFormulas.end(), begins_with);
}

/// One table in the making.
class CsvText {
 public:
  explicit CsvText(std::initializer_list<std::string_view> titles) {
    for (const std::string_view title : titles)
      text(title);
    end_line();
  }

  CsvText& text(std::string_view value) {
    const std::string shown =
        (looks_like_a_formula(value) ? "'" : "") + visible_text(valid_utf8(value), "\n\r\t");
    // The last two part cells where a spreadsheet is set so.
    if (shown.find_first_of(",\"\r\n;\t") == std::string::npos) return cell(shown);
    std::string quoted = "\"";
    for (const char each : shown) {
      if (each == '"') quoted += '"';
      quoted += each;
    }
    return cell(quoted + "\"");
  }
  /// Shortest text that reads back as the same number; empty where it is not finite.
  CsvText& number(double value) {
    return cell(std::isfinite(value) ? fmt::format("{}", value) : "");
  }
  CsvText& count(std::int64_t value) { return cell(std::to_string(value)); }
  CsvText& unknown() { return cell(""); }
  CsvText& number_if(bool known, double value) { return known ? number(value) : unknown(); }
  void end_line() {
    text_ += '\n';
    first_ = true;
  }

  std::string take() { return std::move(text_); }

 private:
  CsvText& cell(std::string_view written) {
    if (!first_) text_ += ',';
    first_ = false;
    text_ += written;
    return *this;
  }

  std::string text_;
  bool first_ = true;
};

std::string metrics_csv(const Report& report) {
  CsvText csv({"tag", "name", "state", "value", "p05", "p95", "unit", "hint", "reason"});
  for (const MetricGroup& group : report.metrics) {
    for (const MetricValue& metric : group.values) {
      const bool spread = metric.spread.has_value();
      csv.text(metric.tag()).text(metric.definition.name).text(name_of(metric.state));
      csv.number_if(metric.known(), metric.value);
      csv.number_if(spread, spread ? metric.spread->p05 : 0);
      csv.number_if(spread, spread ? metric.spread->p95 : 0);
      csv.text(unit_of(metric.definition.hint)).text(name_of(metric.definition.hint));
      csv.text(metric.reason).end_line();
    }
  }
  return csv.take();
}

std::string tasks_csv(const Report& report) {
  CsvText csv({"task", "layer", "op_kind", "part", "graph", "lane", "family", "runs",
               "time_ns_median", "time_ns_p05", "time_ns_p95", "share", "slack_ns", "critical",
               "flops", "bytes", "placement_reason"});
  for (const ReportTask& task : report.tasks) {
    const bool ran = task.runs > 0;
    csv.text(task.name).text(task.layer).text(task.op_kind).text(task.part).text(task.graph);
    csv.text(task.lane).text(name_of(task.family)).count(static_cast<std::int64_t>(task.runs));
    csv.number_if(ran, task.time_ns.median).number_if(ran, task.time_ns.p05);
    csv.number_if(ran, task.time_ns.p95).number(task.share);
    csv.number_if(task.slack_known, task.slack_ns).number_if(task.slack_known, task.critical);
    csv.number_if(task.work_known, task.flops)
        .number_if(task.work_known, task.bytes)
        .text(task.placement_reason)
        .end_line();
  }
  return csv.take();
}

std::string kernels_csv(const Report& report) {
  CsvText csv({"kernel", "count", "time_ns", "mean_ns", "share", "shapes", "grid", "block",
               "registers", "static_shared_bytes", "dynamic_shared_bytes", "occupancy"});
  for (const ReportKernel& kernel : report.device_tables.kernels) {
    csv.text(kernel.name).number(kernel.count).number(kernel.time_ns).number(kernel.mean_ns);
    csv.number(kernel.share).count(static_cast<std::int64_t>(kernel.shapes));
    if (kernel.launch) {
      const LaunchShape& launch = *kernel.launch;
      csv.text(format_extent(launch.grid))
          .text(format_extent(launch.block))
          .count(launch.registers);
      csv.count(launch.static_shared_bytes).count(launch.dynamic_shared_bytes);
      csv.number_if(launch.occupancy.has_value(), launch.occupancy.value_or(0));
    } else {
      for (int cell = 0; cell < 6; ++cell)
        csv.unknown();
    }
    csv.end_line();
  }
  return csv.take();
}

std::string streams_csv(const Report& report) {
  CsvText csv({"stream", "rank", "device", "kernels", "memcpys", "memsets", "busy_ns"});
  for (const ReportStream& stream : report.device_tables.streams) {
    const Lane& lane = report.lanes[stream.lane];
    csv.text(lane.name).count(lane.rank).count(lane.device).number(stream.kernels);
    csv.number(stream.memcpys).number(stream.memsets).number(stream.busy_ns).end_line();
  }
  return csv.take();
}

std::string ranges_csv(const Report& report) {
  CsvText csv({"range", "ranges", "work", "busy_ns"});
  for (const ReportRange& range : report.ranges)
    csv.text(range.name).count(range.ranges).count(range.work).count(range.busy_ns).end_line();
  return csv.take();
}

std::string rollups_csv(std::string_view title, const std::vector<ReportRollup>& rollups) {
  CsvText csv({title, "tasks", "time_ns", "share"});
  for (const ReportRollup& rollup : rollups) {
    csv.text(rollup.name).count(static_cast<std::int64_t>(rollup.tasks));
    csv.number(rollup.time_ns).number(rollup.share).end_line();
  }
  return csv.take();
}

std::string layers_csv(const Report& report) {
  return rollups_csv("layer", report.layers);
}

std::string op_kinds_csv(const Report& report) {
  return rollups_csv("op_kind", report.op_kinds);
}

std::string waits_csv(const Report& report) {
  // In the order of kWaitCauses.
  CsvText csv({"stream", "busy_ns", "dependency_ns", "launch_ns", "host_sync_ns", "data_loader_ns",
               "nothing_to_do_ns"});
  for (const LaneWaits& waits : report.waits) {
    csv.text(report.lanes[waits.lane].name).number(waits.busy_ns);
    for (const double time : waits.wait_ns)
      csv.number(time);
    csv.end_line();
  }
  return csv.take();
}

std::string steps_csv(const Report& report) {
  CsvText csv({"step", "phase", "shape", "slot", "batch", "begin_ns", "end_ns", "loss", "correct",
               "learning_rate"});
  for (const TraceStep& step : report.steps) {
    csv.count(step.step).text(step.phase).text(step.shape).text(step.slot).count(step.batch);
    csv.count(step.begin_ns).count(step.end_ns);
    csv.number_if(step.loss.has_value(), step.loss.value_or(0));
    if (step.correct) {
      csv.count(*step.correct);
    } else {
      csv.unknown();
    }
    csv.number(step.learning_rate).end_line();
  }
  return csv.take();
}

std::string findings_csv(const Report& report) {
  CsvText csv({"severity", "name", "count", "message"});
  for (const Finding& finding : report.findings) {
    csv.text(name_of(finding.severity)).text(finding.name).count(finding.count);
    csv.text(finding.message).end_line();
  }
  return csv.take();
}

constexpr auto kTables = std::to_array<CsvTable>({
    {"metrics", &metrics_csv},
    {"tasks", &tasks_csv},
    {"kernels", &kernels_csv},
    {"streams", &streams_csv},
    {"ranges", &ranges_csv},
    {"layers", &layers_csv},
    {"op_kinds", &op_kinds_csv},
    {"waits", &waits_csv},
    {"steps", &steps_csv},
    {"findings", &findings_csv},
});

}  // namespace

std::span<const CsvTable> csv_tables() {
  return kTables;
}

const CsvTable* csv_table_named(std::string_view name) {
  const auto found = std::find_if(kTables.begin(), kTables.end(),
                                  [name](const CsvTable& table) { return table.name == name; });
  return found == kTables.end() ? nullptr : &*found;
}

std::string csv_table_names() {
  std::string names;
  for (const CsvTable& table : kTables)
    names += (names.empty() ? "" : ", ") + std::string(table.name);
  return names;
}

}  // namespace quintet
