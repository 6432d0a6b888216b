#include "profiler/report/json_report.h"

#include <charconv>
#include <cmath>

#include "profiler/metrics/probe_effect.h"
#include "profiler/report/device_json.h"
#include "profiler/report/format.h"

namespace quintet {

namespace {

OrderedJson text_or_null(const std::string& text) {
  return text.empty() ? OrderedJson() : OrderedJson(text);
}

OrderedJson parsed_number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? number_or_null(value) : OrderedJson();
}

std::int64_t whole_ns(double ns) {
  return std::llround(ns);
}

OrderedJson lanes_json(const LaneTable& lanes) {
  OrderedJson json = OrderedJson::array();
  for (const Lane& lane : lanes) {
    json.push_back({{"name", lane.name},
                    {"kind", name_of(lane.kind)},
                    {"device", lane.device},
                    {"rank", lane.rank},
                    {"priority", lane.priority}});
  }
  return json;
}

OrderedJson steps_json(const std::vector<TraceStep>& steps) {
  OrderedJson json = OrderedJson::array();
  for (const TraceStep& step : steps) {
    OrderedJson row;
    row["step"] = step.step;
    row["phase"] = step.phase;
    row["shape"] = step.shape;
    row["slot"] = step.slot;
    row["batch"] = step.batch;
    row["begin_ns"] = step.begin_ns;
    row["end_ns"] = step.end_ns;
    row["loss"] = step.loss ? number_or_null(*step.loss) : OrderedJson();
    row["correct"] = step.correct ? OrderedJson(*step.correct) : OrderedJson();
    row["learning_rate"] = number_or_null(step.learning_rate);
    json.push_back(std::move(row));
  }
  return json;
}

OrderedJson waits_json(const Report& report) {
  OrderedJson json = OrderedJson::array();
  for (const LaneWaits& waits : report.waits) {
    OrderedJson row;
    row["lane"] = report.lanes[waits.lane].name;
    row["busy_ns"] = whole_ns(waits.busy_ns);
    for (const WaitCause cause : kWaitCauses) {
      row[std::string(name_of(cause)) + "_ns"] =
          whole_ns(waits.wait_ns[static_cast<std::size_t>(cause)]);
    }
    json.push_back(std::move(row));
  }
  return json;
}

OrderedJson rollups_json(const std::vector<ReportRollup>& rollups) {
  OrderedJson json = OrderedJson::array();
  for (const ReportRollup& rollup : rollups) {
    json.push_back({{"name", rollup.name},
                    {"tasks", rollup.tasks},
                    {"time_ns", whole_ns(rollup.time_ns)},
                    {"share", number_or_null(rollup.share)}});
  }
  return json;
}

OrderedJson tasks_json(const Report& report) {
  OrderedJson json = OrderedJson::array();
  for (const ReportTask& task : report.tasks) {
    OrderedJson row;
    row["name"] = task.name;
    row["layer"] = task.layer;
    row["op_kind"] = task.op_kind;
    row["part"] = task.part;
    row["graph"] = task.graph;
    row["lane"] = text_or_null(task.lane);
    row["placement_reason"] = task.placement_reason;
    row["family"] = name_of(task.family);
    row["runs"] = task.runs;
    row["time_ns"] = nullptr;
    if (task.runs > 0) {
      row["time_ns"] = {{"median", whole_ns(task.time_ns.median)},
                        {"p05", whole_ns(task.time_ns.p05)},
                        {"p95", whole_ns(task.time_ns.p95)}};
    }
    row["share"] = number_or_null(task.share);
    row["slack_ns"] = task.slack_known ? OrderedJson(whole_ns(task.slack_ns)) : OrderedJson();
    row["critical"] = task.slack_known ? number_or_null(task.critical) : OrderedJson();
    row["flops"] = task.work_known ? number_or_null(task.flops) : OrderedJson();
    row["bytes"] = task.work_known ? number_or_null(task.bytes) : OrderedJson();
    json.push_back(std::move(row));
  }
  return json;
}

OrderedJson ranges_json(const std::vector<ReportRange>& ranges) {
  OrderedJson json = OrderedJson::array();
  for (const ReportRange& range : ranges) {
    json.push_back({{"name", range.name},
                    {"ranges", range.ranges},
                    {"work", range.work},
                    {"busy_ns", range.busy_ns}});
  }
  return json;
}

OrderedJson clocks_json(const std::vector<ReportClock>& clocks) {
  OrderedJson json = OrderedJson::array();
  for (const ReportClock& clock : clocks) {
    const bool compared = clock.readings > 1;
    json.push_back(
        {{"name", clock.name},
         {"lanes", clock.lanes},
         {"readings", clock.readings},
         {"over_ns", clock.over_ns},
         {"drift_ns", compared ? OrderedJson(clock.drift_ns) : OrderedJson()},
         {"most_drift_ns", compared ? OrderedJson(clock.most_drift_ns) : OrderedJson()}});
  }
  return json;
}

OrderedJson probe_json(const Report& report) {
  OrderedJson json;
  json["slowdown"] = report.slowdown ? number_or_null(*report.slowdown) : OrderedJson();
  json["distorted"] =
      report.slowdown ? OrderedJson(*report.slowdown > kProbeEffectLimit) : OrderedJson();
  json["notice"] = text_or_null(report.probe_notice());
  return json;
}

OrderedJson timeline_json(const Report& report, const StepTimeline& timeline) {
  std::map<std::uint32_t, std::string> names;
  for (const ReportTask& task : report.tasks)
    names[task.index] = task.name;
  const auto name_or_null = [&names](const std::optional<std::uint32_t>& task) -> OrderedJson {
    const auto found = task ? names.find(*task) : names.end();
    return found == names.end() ? OrderedJson() : OrderedJson(found->second);
  };
  OrderedJson json;
  json["label"] = timeline.label;
  json["step"] = timeline.step;
  json["length_ns"] = timeline.length_ns;
  json["unknown"] = text_or_null(timeline.unknown);
  json["runs_left_out"] = timeline.boxes_left_out;
  json["waits_left_out"] = timeline.waits_left_out;
  json["runs"] = OrderedJson::array();
  for (const TimelineBox& box : timeline.boxes) {
    json["runs"].push_back(
        {{"task", name_or_null(box.task)},
         {"lane", report.lanes[box.lane].name},
         {"begin_ns", box.time.begin},
         {"end_ns", box.time.end},
         {"step", box.step},
         {"cpu_ns", box.cpu_ns < 0 ? OrderedJson() : OrderedJson(box.cpu_ns)},
         {"slack_ns", box.slack_ns ? OrderedJson(*box.slack_ns) : OrderedJson()}});
  }
  json["waits"] = OrderedJson::array();
  for (const Wait& wait : timeline.waits) {
    json["waits"].push_back({{"lane", report.lanes[wait.lane.value()].name},
                             {"begin_ns", wait.time.begin},
                             {"end_ns", wait.time.end},
                             {"cause", name_of(wait.cause)},
                             {"blocker", name_or_null(wait.blocker)},
                             {"next", name_or_null(wait.next)}});
  }
  return json;
}

}  // namespace

OrderedJson report_json(const Report& report) {
  OrderedJson json;
  json["schema"] = "quintet.report";
  json["version"] = kReportSchemaVersion;
  json["state"] = name_of(report.state);
  json["provenance"] = OrderedJson::object();
  for (const auto& [key, value] : report.provenance)
    json["provenance"][key] = value;
  json["verdict"] = text_or_null(report.said("verdict"));
  json["test_accuracy"] = parsed_number(report.said("test_accuracy"));
  json["device"] = device_json(report.device, report.state);
  std::vector<MetricValue> metrics;
  for (const MetricGroup& group : report.metrics)
    metrics.insert(metrics.end(), group.values.begin(), group.values.end());
  json["probe_effect"] = probe_json(report);
  json["timed_steps"] = report.timed_steps;
  json["observed_steps"] = report.observed_steps;
  json["timed_windows"] = name_of(report.basis);
  json["step_time_ns"] = step_time_json(metrics);
  json["losses"] = losses_json(report.steps);
  json["metrics"] = metrics_json(metrics);
  json["lanes"] = lanes_json(report.lanes);
  json["clocks"] = clocks_json(report.clocks);
  json["concurrency"] = OrderedJson::array();
  for (const double share : report.concurrency)
    json["concurrency"].push_back(number_or_null(share));
  json["concurrency_above"] = number_or_null(report.concurrency_above);
  json["overlap"] = overlap_json(report);
  json["waits"] = waits_json(report);
  json["layers"] = rollups_json(report.layers);
  json["op_kinds"] = rollups_json(report.op_kinds);
  json["tasks"] = tasks_json(report);
  json["kernels"] = kernels_json(report.device_tables.kernels);
  json["streams"] = streams_json(report);
  json["kernels_over_steps"] = report.device_tables.steps;
  json["ranges"] = ranges_json(report.ranges);
  json["work_outside_ranges"] = report.work_outside_ranges;
  json["work_of_ambiguous_ranges"] = report.work_of_ambiguous_ranges;
  json["timeline"] =
      report.timelines.empty() ? OrderedJson() : timeline_json(report, report.timelines.front());
  json["steps"] = steps_json(report.steps);
  json["findings"] = findings_json(report.findings);
  return json;
}

std::string json_report(const Report& report, int indent) {
  return dump_json(report_json(report), indent) + "\n";
}

}  // namespace quintet
