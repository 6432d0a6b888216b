#include "profiler/metrics/utilisation.h"

namespace quintet {

namespace {

template <class Value>
std::vector<double> over_steps(const MetricContext& context, Value value) {
  std::vector<double> values;
  for (const MeasuredStep& step : context.steps())
    values.push_back(value(step));
  return values;
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
                                     context.no_steps_reason()));
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
                         context.no_steps_reason()));
    metrics.push_back(known_over_steps(
        {"lane/" + name + "/utilisation", "Utilisation " + name,
         "Share of the step in which the lane works.", "U(spans on " + name + ") / T",
         MetricHint::percentage},
        over_steps(context,
                   [lane](const MeasuredStep& step) {
                     return static_cast<double>(step.lanes[lane].length()) / step.length();
                   }),
        context.no_steps_reason()));
  }
  return metrics;
}

}  // namespace quintet
