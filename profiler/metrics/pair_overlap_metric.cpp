#include "profiler/metrics/pair_overlap_metric.h"

#include <algorithm>

#include "profiler/analysis/overlap.h"

namespace quintet {

std::vector<std::size_t> pair_lanes(const MetricContext& context) {
  std::vector<std::size_t> lanes = context.stream_lanes();
  if (lanes.size() <= kPairLanes) return lanes;
  std::vector<std::int64_t> busy(context.trace().lanes.size());
  for (const MeasuredStep* step : context.observed_steps()) {
    for (const std::size_t lane : lanes)
      busy[lane] += step->lanes[lane].length();
  }
  std::stable_sort(lanes.begin(), lanes.end(),
                   [&busy](std::size_t a, std::size_t b) { return busy[a] > busy[b]; });
  lanes.resize(kPairLanes);
  std::sort(lanes.begin(), lanes.end());
  return lanes;
}

std::vector<MetricValue> pair_overlap_metrics(MetricContext& context) {
  const std::vector<std::size_t> lanes = pair_lanes(context);
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
      for (const MeasuredStep* step : context.observed_steps()) {
        const auto value = pair_overlap(step->lanes[lanes[first]], step->lanes[lanes[second]]);
        if (value) values.push_back(*value);
      }
      if (values.empty() && !context.observed_steps().empty()) {
        metrics.push_back(absent_metric(std::move(definition), "one of the lanes is never busy"));
      } else {
        metrics.push_back(known_over_steps(std::move(definition), std::move(values),
                                           context.not_observed_reason()));
      }
    }
  }
  if (const std::size_t all = context.stream_lanes().size(); all > lanes.size()) {
    metrics.push_back(known_metric({"overlap/lanes_left_out", "Lanes left out",
                                    "Streams whose overlap is not listed: the least busy ones.",
                                    "count of lanes", MetricHint::count},
                                   static_cast<double>(all - lanes.size())));
  }
  return metrics;
}

}  // namespace quintet
