#include "profiler/metrics/utilisation.h"

#include <algorithm>
#include <optional>

#include "profiler/analysis/device_work.h"

namespace quintet {

namespace {

template <class Value>
std::vector<double> over_steps(const MetricContext& context, Value value) {
  std::vector<double> values;
  for (const MeasuredStep* step : context.observed_steps())
    values.push_back(value(*step));
  return values;
}

bool has_open_graphs(const Trace& trace) {
  return std::any_of(trace.untimed.begin(), trace.untimed.end(), [&](const TraceUntimed& each) {
    return activity_kind(trace, each.activity) == ActivityKind::graph;
  });
}

/// What is left to say where graphs were recorded without their nodes; nothing in other traces.
std::optional<MetricValue> graph_bound(const MetricContext& context) {
  MetricDefinition definition{"utilisation/at_most", "Any stream busy, at most",
                              "Upper bound of it where nodes were not recorded: share of the step "
                              "in which the launch of a "
                              "graph was under way, or recorded work ran.",
                              "U(launches of graphs, spans) / T", MetricHint::percentage};
  if (has_open_graphs(context.trace()))
    return unknown_metric(std::move(definition), "nobody knows when a graph launch ended");
  std::vector<double> values;
  for (const MeasuredStep& step : context.steps()) {
    if (step.graphs.empty()) continue;
    values.push_back(static_cast<double>(unite(step.all, step.graphs).length()) / step.length());
  }
  if (values.empty()) return std::nullopt;
  return known_over_steps(std::move(definition), std::move(values), {});
}

}  // namespace

std::vector<MetricValue> utilisation_metrics(MetricContext& context) {
  std::vector<MetricValue> metrics;
  metrics.push_back(context.over_work_or_unknown(
      {"utilisation/any", "Any stream busy",
       "Share of the step in which at least one stream works.", "U(all) / T",
       MetricHint::percentage},
      over_steps(context,
                 [](const MeasuredStep& step) {
                   return static_cast<double>(step.all.length()) / step.length();
                 }),
      {}));
  if (std::optional<MetricValue> bound = graph_bound(context)) {
    metrics.push_back(std::move(*bound));
  }
  for (const std::size_t lane : context.busiest_lanes(kUtilisationLanes)) {
    const std::string& name = context.trace().lanes[lane].name;
    std::vector<double> busy;
    std::vector<double> shares;
    const std::vector<std::int64_t> times = context.lengths_within(context.lane_busy(lane));
    for (std::size_t step = 0; step < times.size(); ++step) {
      busy.push_back(static_cast<double>(times[step]));
      shares.push_back(busy.back() / context.observed_steps()[step]->length());
    }
    metrics.push_back(context.over_work_or_unknown(
        {"lane/" + name + "/busy", "Busy " + name,
         "Time per step in which the lane works: a union, never a sum.", "U(spans on " + name + ")",
         MetricHint::duration},
        std::move(busy), {}));
    metrics.push_back(
        context.over_work_or_unknown({"lane/" + name + "/utilisation", "Utilisation " + name,
                                      "Share of the step in which the lane works.",
                                      "U(spans on " + name + ") / T", MetricHint::percentage},
                                     std::move(shares), {}));
  }
  if (const std::size_t all = context.stream_lanes().size(); all > kUtilisationLanes) {
    metrics.push_back(known_metric({"lane/left_out", "Lanes left out",
                                    "Streams whose busy time is not listed: the least busy ones.",
                                    "count of lanes", MetricHint::count},
                                   static_cast<double>(all - kUtilisationLanes)));
  }
  return metrics;
}

}  // namespace quintet
