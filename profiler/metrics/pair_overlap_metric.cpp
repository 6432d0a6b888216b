#include "profiler/metrics/pair_overlap_metric.h"

#include "profiler/analysis/overlap.h"

namespace quintet {

std::vector<MetricValue> pair_overlap_metrics(MetricContext& context) {
  const std::vector<std::size_t>& lanes = context.stream_lanes();
  std::vector<MetricValue> metrics;
  for (std::size_t first = 0; first < lanes.size(); ++first) {
    for (std::size_t second = first + 1; second < lanes.size(); ++second) {
      const std::string& a = context.trace().lanes[lanes[first]].name;
      const std::string& b = context.trace().lanes[lanes[second]].name;
      MetricDefinition definition{
          "overlap/" + a + "/" + b, "Overlap " + a + ", " + b,
          "Share of the less busy lane's time during which the other works too.",
          "U(a \xE2\x88\xA9 b) / min(U(a), U(b))", MetricHint::percentage};
      std::vector<double> values;
      for (const MeasuredStep& step : context.steps()) {
        const auto value = pair_overlap(step.lanes[lanes[first]], step.lanes[lanes[second]]);
        if (value) values.push_back(*value);
      }
      if (values.empty() && !context.steps().empty()) {
        metrics.push_back(absent_metric(std::move(definition), "one of the lanes is never busy"));
      } else {
        metrics.push_back(
            known_over_steps(std::move(definition), std::move(values), context.no_steps_reason()));
      }
    }
  }
  return metrics;
}

}  // namespace quintet
