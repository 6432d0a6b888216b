#include "profiler/report/html_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "profiler/report/format.h"
#include "profiler/report/html_assets.h"
#include "profiler/report/html_page.h"

namespace quintet {

namespace {

constexpr std::size_t kTableRows = 1000;
constexpr std::size_t kLossPoints = 2000;
constexpr std::size_t kEdges = 5000;
constexpr std::size_t kNameLength = 96;
constexpr std::size_t kWaits = 1500;  // of one step
constexpr std::size_t kFindings = 200;

OrderedJson metric_groups(const Report& report) {
  OrderedJson groups = OrderedJson::array();
  for (const MetricGroup& group : report.metrics) {
    OrderedJson rows = OrderedJson::array();
    for (const MetricValue& metric : group.values) {
      const MetricHint hint = metric.definition.hint;
      OrderedJson row;
      row["tag"] = metric.definition.tag;
      row["name"] = metric.definition.name;
      row["about"] = metric.definition.description;
      row["formula"] = metric.definition.formula;
      row["state"] = name_of(metric.state);
      if (metric.known()) {
        row["text"] = format_metric(metric);
        row["value"] = number_or_null(metric.value);
        row["hint"] = name_of(hint);
      } else {
        row["reason"] = metric.reason;
      }
      if (metric.spread) {
        row["p05"] = format_value(hint, metric.spread->p05);
        row["p95"] = format_value(hint, metric.spread->p95);
      }
      rows.push_back(std::move(row));
    }
    groups.push_back({{"name", group.family}, {"rows", std::move(rows)}});
  }
  return groups;
}

/// Names and numbers of the tasks, the longest first; `position` maps an index of the trace to its
/// row. What is beyond kTableRows is drawn without a name.
OrderedJson task_rows(const Report& report, std::map<std::uint32_t, std::size_t>& position) {
  OrderedJson rows = OrderedJson::array();
  for (const ReportTask& task : report.tasks) {
    if (rows.size() == kTableRows) break;
    position[task.index] = rows.size();
    rows.push_back(
        {{"name", shorten(task.name, kNameLength)},
         {"label", shorten(task.label, kNameLength)},
         {"layer", shorten(task.layer, kNameLength)},
         {"kind", shorten(task.op_kind, kNameLength)},
         {"part", task.part},
         {"graph", shorten(task.graph, kNameLength)},
         {"lane", shorten(task.lane, kNameLength)},
         {"why", shorten(task.placement_reason, kNameLength)},
         {"family", static_cast<int>(task.family)},
         {"runs", task.runs},
         {"median", std::llround(task.time_ns.median)},
         {"p05", std::llround(task.time_ns.p05)},
         {"p95", std::llround(task.time_ns.p95)},
         {"share", number_or_null(task.share)},
         {"slack", task.slack_known ? OrderedJson(std::llround(task.slack_ns)) : OrderedJson()},
         {"critical", task.slack_known ? number_or_null(task.critical) : OrderedJson()}});
  }
  return rows;
}

/// The lanes of the page by their index in the report, with their place in the page: all of them, or
/// those with the most boxes.
std::map<std::uint32_t, std::size_t> shown_lanes(const Report& report) {
  std::vector<std::size_t> boxes(report.lanes.size());
  for (const StepTimeline& timeline : report.timelines) {
    for (const TimelineBox& box : timeline.boxes)
      ++boxes[box.lane];
  }
  std::vector<std::uint32_t> order(report.lanes.size());
  std::iota(order.begin(), order.end(), 0U);
  if (order.size() > kTableRows) {
    std::stable_sort(order.begin(), order.end(),
                     [&boxes](std::uint32_t a, std::uint32_t b) { return boxes[a] > boxes[b]; });
    order.resize(kTableRows);
    std::sort(order.begin(), order.end());
  }
  std::map<std::uint32_t, std::size_t> shown;
  for (std::size_t place = 0; place < order.size(); ++place)
    shown.emplace(order[place], place);
  return shown;
}

/// Boxes as arrays [task, lane, begin, length, step served, cpu, slack]; waits as
/// [lane, begin, length, cause, blocker, next].
OrderedJson timelines(const Report& report, const std::map<std::uint32_t, std::size_t>& position,
                      const std::map<std::uint32_t, std::size_t>& lanes) {
  const auto at = [&position](std::uint32_t task) -> std::int64_t {
    const auto found = position.find(task);
    return found == position.end() ? -1 : static_cast<std::int64_t>(found->second);
  };
  OrderedJson all = OrderedJson::array();
  for (const StepTimeline& timeline : report.timelines) {
    OrderedJson boxes = OrderedJson::array();
    std::size_t left_out = timeline.boxes_left_out;
    for (const TimelineBox& box : timeline.boxes) {
      const auto lane = lanes.find(box.lane);
      if (lane == lanes.end()) {
        ++left_out;
        continue;
      }
      boxes.push_back({at(box.task), lane->second, box.time.begin, box.time.length(), box.step,
                       box.cpu_ns, box.slack_ns ? OrderedJson(*box.slack_ns) : OrderedJson()});
    }
    OrderedJson waits = OrderedJson::array();
    for (const Wait& wait : timeline.waits) {
      if (waits.size() == kWaits) break;
      const auto lane = lanes.find(wait.lane.value());
      if (lane == lanes.end()) continue;
      waits.push_back({lane->second, wait.time.begin, wait.time.length(),
                       static_cast<int>(wait.cause), wait.blocker ? at(*wait.blocker) : -1,
                       wait.next ? at(*wait.next) : -1});
    }
    all.push_back({{"label", timeline.label},
                   {"step", timeline.step},
                   {"length", timeline.length_ns},
                   {"unknown", timeline.unknown},
                   {"leftOut", left_out},
                   {"boxes", std::move(boxes)},
                   {"waits", std::move(waits)}});
  }
  return all;
}

/// [step, loss or null] of training steps: all of them, or evenly chosen ones and every non-finite.
OrderedJson loss_points(const Report& report) {
  std::vector<const TraceStep*> train;
  for (const TraceStep& step : report.steps) {
    if (step.phase == "train") train.push_back(&step);
  }
  const std::size_t stride = train.size() / kLossPoints + 1;
  OrderedJson points = OrderedJson::array();
  std::size_t broken = 0;
  for (std::size_t index = 0; index < train.size(); ++index) {
    const TraceStep& step = *train[index];
    const bool finite = step.loss && std::isfinite(*step.loss);
    if (index % stride != 0 && index + 1 != train.size() && finite) continue;
    if (!finite && index % stride != 0 && ++broken > kLossPoints) continue;
    points.push_back({step.step, step.loss ? number_or_null(*step.loss) : OrderedJson()});
  }
  return points;
}

OrderedJson lane_waits(const Report& report) {
  OrderedJson rows = OrderedJson::array();
  std::vector<LaneWaits> busiest = report.waits;
  if (busiest.size() > kTableRows) {
    std::stable_sort(busiest.begin(), busiest.end(),
                     [](const LaneWaits& a, const LaneWaits& b) { return a.busy_ns > b.busy_ns; });
    busiest.resize(kTableRows);
  }
  for (const LaneWaits& waits : busiest) {
    OrderedJson times = OrderedJson::array();
    for (const double time : waits.wait_ns)
      times.push_back(std::llround(time));
    rows.push_back({{"lane", report.lanes[waits.lane].name},
                    {"busy", std::llround(waits.busy_ns)},
                    {"waits", std::move(times)}});
  }
  return rows;
}

OrderedJson rollups(const std::vector<ReportRollup>& list) {
  OrderedJson rows = OrderedJson::array();
  for (const ReportRollup& rollup : list) {
    if (rows.size() == kTableRows) break;
    rows.push_back({{"name", shorten(rollup.name, kNameLength)},
                    {"tasks", rollup.tasks},
                    {"time", std::llround(rollup.time_ns)},
                    {"share", number_or_null(rollup.share)}});
  }
  return rows;
}

/// Kernels and streams with their numbers as people read them.
OrderedJson kernel_rows(const Report& report) {
  OrderedJson rows = OrderedJson::array();
  for (const ReportKernel& kernel : report.device_tables.kernels) {
    if (rows.size() == kTableRows) break;
    OrderedJson row = {
        {"name", shorten(kernel.name, kNameLength)}, {"count", format_number(kernel.count)},
        {"time", std::llround(kernel.time_ns)},      {"mean", std::llround(kernel.mean_ns)},
        {"share", number_or_null(kernel.share)},     {"shapes", kernel.shapes}};
    if (kernel.launch) {
      row["grid"] = kernel.launch->grid;
      row["block"] = kernel.launch->block;
      row["registers"] = kernel.launch->registers;
      row["occupancy"] =
          kernel.launch->occupancy ? number_or_null(*kernel.launch->occupancy) : OrderedJson();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

OrderedJson stream_rows(const Report& report) {
  OrderedJson rows = OrderedJson::array();
  for (const ReportStream& stream : report.device_tables.streams) {
    if (rows.size() == kTableRows) break;
    rows.push_back({{"lane", shorten(report.lanes[stream.lane].name, kNameLength)},
                    {"kernels", format_number(stream.kernels)},
                    {"memcpys", format_number(stream.memcpys)},
                    {"memsets", format_number(stream.memsets)},
                    {"busy", std::llround(stream.busy_ns)}});
  }
  return rows;
}

OrderedJson findings(const Report& report) {
  std::vector<Finding> first(report.findings.begin(),
                             report.findings.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                           kFindings, report.findings.size())));
  return findings_json(first);
}

std::string title_of(const Report& report) {
  std::string title = report.said("scenario").empty() ? "Recording" : report.said("scenario");
  if (!report.said("policy").empty()) title += ", " + report.said("policy");
  return title + " - Quintet";
}

}  // namespace

OrderedJson html_report_data(const Report& report) {
  OrderedJson data;
  data["state"] = name_of(report.state);
  data["provenance"] = OrderedJson::object();
  for (const auto& [key, value] : report.provenance)
    data["provenance"][key] = shorten(value, 20 * kNameLength);
  data["families"] = OrderedJson::array();
  for (std::size_t family = 0; family < kOpFamilyCount; ++family)
    data["families"].push_back(name_of(static_cast<OpFamily>(family)));
  data["causes"] = OrderedJson::array();
  for (const WaitCause cause : kWaitCauses)
    data["causes"].push_back(name_of(cause));
  data["lanes"] = OrderedJson::array();
  const std::map<std::uint32_t, std::size_t> lanes = shown_lanes(report);
  for (const auto& [lane, place] : lanes) {
    data["lanes"].push_back({{"name", shorten(report.lanes[lane].name, kNameLength)},
                             {"host", report.lanes[lane].kind != LaneKind::stream}});
  }
  data["lanesLeftOut"] = report.lanes.size() - lanes.size();
  data["steps"] = report.steps.size();
  data["timedSteps"] = report.timed_steps;
  data["observedSteps"] = report.observed_steps;
  data["basis"] = name_of(report.basis);
  data["probeNotice"] = report.probe_notice();
  data["metrics"] = metric_groups(report);
  std::map<std::uint32_t, std::size_t> position;
  data["tasks"] = task_rows(report, position);
  data["tasksLeftOut"] = report.tasks.size() - data["tasks"].size();
  data["timelines"] = timelines(report, position, lanes);
  data["edges"] = OrderedJson::array();
  for (const ReportEdge& edge : report.edges) {
    const auto from = position.find(edge.from);
    const auto to = position.find(edge.to);
    if (from == position.end() || to == position.end()) continue;
    if (data["edges"].size() == kEdges) break;
    data["edges"].push_back({from->second, to->second});
  }
  data["losses"] = loss_points(report);
  data["concurrency"] = report.concurrency;
  data["concurrencyAbove"] = number_or_null(report.concurrency_above);
  data["unobserved"] = report.unobserved;
  data["overlap"] = overlap_json(report);
  data["waits"] = lane_waits(report);
  data["layers"] = rollups(report.layers);
  data["opKinds"] = rollups(report.op_kinds);
  data["kernels"] = kernel_rows(report);
  data["kernelsLeftOut"] = report.device_tables.kernels.size() - data["kernels"].size();
  data["streams"] = stream_rows(report);
  data["kernelSteps"] = report.device_tables.steps;
  data["findings"] = findings(report);
  data["findingsLeftOut"] = report.findings.size() - data["findings"].size();
  return data;
}

std::string html_report(const Report& report) {
  return fill_page(html_page(), {{"title", for_markup(title_of(report))},
                                 {"style", std::string(html_style())},
                                 {"script", std::string(html_script())},
                                 {"data", for_script(dump_json(html_report_data(report), -1))}});
}

}  // namespace quintet
