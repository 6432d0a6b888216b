#include "profiler/metrics/utilisation.h"

#include <optional>

namespace quintet {

namespace {

template <class Value>
std::vector<double> over_steps(const MetricContext& context, Value value) {
  std::vector<double> values;
  for (const MeasuredStep* step : context.observed_steps())
    values.push_back(value(*step));
  return values;
}

/// What is left to say where graphs were recorded without their nodes; nothing in other traces.
std::optional<MetricValue> graph_bound(const MetricContext& context) {
  std::vector<double> values;
  for (const MeasuredStep& step : context.steps()) {
    if (step.graphs.empty()) continue;
    values.push_back(static_cast<double>(unite(step.all, step.graphs).length()) / step.length());
  }
  if (values.empty()) return std::nullopt;
  return known_over_steps({"utilisation/at_most", "Any stream busy, at most",
                           "Upper bound of it where nodes were not recorded: share of the step in "
                           "which the launch of a "
                           "graph was under way, or recorded work ran.",
                           "U(launches of graphs, spans) / T", MetricHint::percentage},
                          std::move(values), {});
}

}  // namespace

std::vector<MetricValue> utilisation_metrics(MetricContext& context) {
  std::vector<MetricValue> metrics;
  metrics.push_back(known_over_steps({"utilisation/any", "Any stream busy",
                                      "Share of the step in which at least one stream works.",
                                      "U(all) / T", MetricHint::percentage},
                                     over_steps(context,
                                                [](const MeasuredStep& step) {
                                                  return static_cast<double>(step.all.length()) /
                                                         step.length();
                                                }),
                                     context.not_observed_reason()));
  if (std::optional<MetricValue> bound = graph_bound(context)) {
    metrics.push_back(std::move(*bound));
  }
  for (const std::size_t lane : context.stream_lanes()) {
    const std::string& name = context.trace().lanes[lane].name;
    metrics.push_back(
        known_over_steps({"lane/" + name + "/busy", "Busy " + name,
                          "Time per step in which the lane works: a union, never a sum.",
                          "U(spans on " + name + ")", MetricHint::duration},
                         over_steps(context,
                                    [lane](const MeasuredStep& step) {
                                      return static_cast<double>(step.lanes[lane].length());
                                    }),
                         context.not_observed_reason()));
    metrics.push_back(known_over_steps(
        {"lane/" + name + "/utilisation", "Utilisation " + name,
         "Share of the step in which the lane works.", "U(spans on " + name + ") / T",
         MetricHint::percentage},
        over_steps(context,
                   [lane](const MeasuredStep& step) {
                     return static_cast<double>(step.lanes[lane].length()) / step.length();
                   }),
        context.not_observed_reason()));
  }
  return metrics;
}

}  // namespace quintet
