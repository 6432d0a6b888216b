#include "profiler/compare/comparison_json.h"

#include <cmath>

namespace quintet {

namespace {

/// {value, low, high}; low and high null where there is no interval.
OrderedJson bounds_json(const Bounds& bounds, bool bounded) {
  return {{"value", number_or_null(bounds.value)},
          {"low", bounded ? number_or_null(bounds.low) : OrderedJson()},
          {"high", bounded ? number_or_null(bounds.high) : OrderedJson()}};
}

OrderedJson change_json(const SeriesChange& change) {
  return {{"a", number_or_null(change.before)},
          {"b", number_or_null(change.after)},
          {"difference", bounds_json(change.difference, change.bounded)},
          {"ratio", change.ratio ? bounds_json(*change.ratio, change.bounded) : OrderedJson()},
          {"p", change.bounded ? number_or_null(change.p) : OrderedJson()}};
}

OrderedJson tested_json(const TestedChange& tested) {
  OrderedJson json = change_json(tested.change);
  const bool bounded = tested.change.bounded;
  json["adjusted_p"] = bounded ? number_or_null(tested.adjusted_p) : OrderedJson();
  json["significant"] = bounded ? OrderedJson(tested.significant) : OrderedJson();
  return json;
}

OrderedJson side_json(const ComparedSide& side) {
  return {{"recordings", side.files},
          {"scenario", side.said("scenario")},
          {"policy", side.said("policy")},
          {"timed_steps", side.timed_steps},
          {"provenance", side.provenance}};
}

OrderedJson optional_json(const std::optional<double>& value) {
  return value ? number_or_null(*value) : OrderedJson();
}

OrderedJson task_json(const TaskChange& change) {
  OrderedJson json = {{"name", change.task.name},
                      {"layer", change.task.layer},
                      {"shape", change.task.shape},
                      {"tasks_a", change.task.names_a},
                      {"tasks_b", change.task.names_b},
                      {"stream_a", change.lane_a},
                      {"stream_b", change.lane_b},
                      {"moved_stream", change.moved_stream()},
                      {"critical_a", optional_json(change.critical_a)},
                      {"critical_b", optional_json(change.critical_b)},
                      {"moved_on_path", change.moved_on_path()}};
  json["time_ns"] = tested_json(change.time);
  return json;
}

OrderedJson metric_change_json(const MetricChange& change) {
  OrderedJson json = {{"tag", change.definition.tag},
                      {"name", change.definition.name},
                      {"hint", name_of(change.definition.hint)},
                      {"unit", unit_of(change.definition.hint)},
                      {"state_a", name_of(change.state_a)},
                      {"state_b", name_of(change.state_b)},
                      {"a", optional_json(change.a)},
                      {"b", optional_json(change.b)}};
  if (!change.reason.empty()) json["reason"] = change.reason;
  json["change"] = change.value ? tested_json(*change.value) : OrderedJson();
  return json;
}

OrderedJson unmatched_json(const std::vector<UnmatchedTask>& tasks) {
  OrderedJson rows = OrderedJson::array();
  for (const UnmatchedTask& task : tasks) {
    rows.push_back({{"name", task.name},
                    {"shape", task.shape},
                    {"stream", task.lane},
                    {"time_ns", number_or_null(task.time_ns)}});
  }
  return rows;
}

OrderedJson caveats_json(const std::vector<Caveat>& caveats) {
  OrderedJson rows = OrderedJson::array();
  for (const Caveat& caveat : caveats) {
    rows.push_back({{"name", caveat.name},
                    {"refuses", caveat.refuses},
                    {"message", caveat.message},
                    {"cure", caveat.cure}});
  }
  return rows;
}

}  // namespace

OrderedJson comparison_json(const Comparison& comparison) {
  OrderedJson json = {{"schema", "quintet.comparison"}, {"version", kComparisonSchemaVersion}};
  json["a"] = side_json(comparison.a);
  json["b"] = side_json(comparison.b);
  json["aligned_by"] = name_of(comparison.by);
  json["resamples"] = comparison.resampling.resamples;
  json["seed"] = comparison.resampling.seed;
  json["between_processes_known"] = comparison.between_processes_known();
  json["caveats"] = caveats_json(comparison.caveats);
  json["step_time_ns"] = comparison.step_time ? change_json(*comparison.step_time) : OrderedJson();
  json["metrics"] = OrderedJson::array();
  for (const MetricChange& metric : comparison.metrics)
    json["metrics"].push_back(metric_change_json(metric));
  json["layers"] = OrderedJson::array();
  for (const LayerChange& layer : comparison.layers) {
    json["layers"].push_back({{"name", layer.name}, {"time_ns", tested_json(layer.time)}});
  }
  json["tasks"] = OrderedJson::array();
  for (const TaskChange& task : comparison.tasks)
    json["tasks"].push_back(task_json(task));
  json["only_a"] = unmatched_json(comparison.only_a);
  json["only_b"] = unmatched_json(comparison.only_b);
  return json;
}

OrderedJson check_json(const RegressionCheck& check) {
  OrderedJson json = {{"schema", "quintet.check"}, {"version", kComparisonSchemaVersion}};
  json["verdict"] = name_of(check.verdict);
  json["max_regression"] = check.max_regression;
  json["ratio"] = bounds_json(check.ratio, true);
  json["grown_layers"] = OrderedJson::array();
  for (const std::size_t layer : check.grown_layers)
    json["grown_layers"].push_back(check.comparison.layers[layer].name);
  json["grown_tasks"] = OrderedJson::array();
  for (const std::size_t task : check.grown_tasks)
    json["grown_tasks"].push_back(check.comparison.tasks[task].task.name);
  json["comparison"] = comparison_json(check.comparison);
  return json;
}

std::string json_document(const OrderedJson& json) {
  return dump_json(json, 2) + "\n";
}

}  // namespace quintet
