#include "profiler/report/json_parts.h"

#include <algorithm>
#include <cmath>

#include "profiler/trace/utf8.h"

namespace quintet {

namespace {

/// Whole numbers are written as such: 1840000, not 1840000.0.
OrderedJson number_of(MetricHint hint, double value) {
  const bool whole =
      hint == MetricHint::duration || hint == MetricHint::bytes || hint == MetricHint::count;
  if (whole && value == std::floor(value) && std::abs(value) < 9e15) {
    return static_cast<std::int64_t>(value);
  }
  return number_or_null(value);
}

}  // namespace

OrderedJson number_or_null(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

OrderedJson metric_json(const MetricValue& metric) {
  const MetricDefinition& definition = metric.definition;
  OrderedJson json;
  json["tag"] = definition.tag;
  json["name"] = definition.name;
  json["description"] = definition.description;
  json["formula"] = definition.formula;
  json["unit"] = unit_of(definition.hint);
  json["hint"] = name_of(definition.hint);
  json["state"] = name_of(metric.state);
  json["value"] = metric.known() ? number_of(definition.hint, metric.value) : OrderedJson();
  if (!metric.reason.empty()) json["reason"] = metric.reason;
  if (metric.spread) {
    json["p05"] = number_of(definition.hint, metric.spread->p05);
    json["p95"] = number_of(definition.hint, metric.spread->p95);
  }
  return json;
}

OrderedJson metrics_json(const std::vector<MetricValue>& metrics) {
  OrderedJson json = OrderedJson::array();
  for (const MetricValue& metric : metrics)
    json.push_back(metric_json(metric));
  return json;
}

OrderedJson step_time_json(const std::vector<MetricValue>& metrics) {
  const MetricValue* time = find_metric(metrics, "step/time");
  if (time == nullptr || !time->known() || !time->spread) return nullptr;
  OrderedJson json;
  json["median"] = number_of(MetricHint::duration, time->value);
  json["p05"] = number_of(MetricHint::duration, time->spread->p05);
  json["p95"] = number_of(MetricHint::duration, time->spread->p95);
  return json;
}

OrderedJson findings_json(const std::vector<Finding>& findings) {
  OrderedJson json = OrderedJson::array();
  for (const Finding& finding : findings) {
    json.push_back({{"severity", name_of(finding.severity)},
                    {"name", finding.name},
                    {"message", finding.message},
                    {"count", finding.count}});
  }
  return json;
}

OrderedJson losses_json(std::vector<TraceStep> steps) {
  std::stable_sort(steps.begin(), steps.end(),
                   [](const TraceStep& a, const TraceStep& b) { return a.step < b.step; });
  OrderedJson json = OrderedJson::array();
  for (const TraceStep& step : steps) {
    if (step.phase != "train") continue;
    json.push_back(step.loss ? number_or_null(*step.loss) : OrderedJson());
  }
  return json;
}

OrderedJson overlap_json(const Report& report) {
  OrderedJson lanes = OrderedJson::array();
  for (const std::uint32_t lane : report.overlap_lanes)
    lanes.push_back(report.lanes[lane].name);
  OrderedJson values = OrderedJson::array();
  for (const auto& row : report.overlap) {
    OrderedJson cells = OrderedJson::array();
    for (const auto& value : row)
      cells.push_back(value ? number_or_null(*value) : OrderedJson());
    values.push_back(std::move(cells));
  }
  return {{"lanes", std::move(lanes)}, {"values", std::move(values)}};
}

std::string dump_json(const OrderedJson& json, int indent) {
  std::string text = json.dump(indent, ' ', false, OrderedJson::error_handler_t::replace);
  // JSON lets DEL and what lies beyond stand raw; a terminal would obey it.
  const bool ascii =
      std::all_of(text.begin(), text.end(), [](char each) { return each > 0 && each < 0x7F; });
  return ascii ? text : visible_json(text);
}

}  // namespace quintet
