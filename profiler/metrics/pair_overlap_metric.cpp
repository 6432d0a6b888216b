#include "profiler/metrics/pair_overlap_metric.h"

#include <algorithm>

namespace quintet {

LaneOverlaps::LaneOverlaps(const MetricContext& context, std::vector<std::size_t> lanes)
    : context_(context), lanes_(std::move(lanes)) {
  for (const std::size_t lane : lanes_)
    busy_.push_back(context.lengths_within(context.lane_busy(lane)));
}

std::vector<double> LaneOverlaps::values(std::size_t first, std::size_t second) const {
  const std::vector<std::int64_t> common = context_.lengths_within(
      intersect(context_.lane_busy(lanes_[first]), context_.lane_busy(lanes_[second])));
  std::vector<double> values;
  for (std::size_t step = 0; step < common.size(); ++step) {
    const std::int64_t smaller = std::min(busy_[first][step], busy_[second][step]);
    if (smaller > 0)
      values.push_back(static_cast<double>(common[step]) / static_cast<double>(smaller));
  }
  return values;
}

std::vector<std::size_t> pair_lanes(const MetricContext& context) {
  const std::vector<std::size_t>& lanes = context.stream_lanes();
  return lanes.size() <= kPairLanes ? lanes : context.busiest_lanes(kPairLanes);
}

std::vector<MetricValue> pair_overlap_metrics(MetricContext& context) {
  const std::vector<std::size_t> lanes = pair_lanes(context);
  const LaneOverlaps overlaps(context, lanes);
  std::vector<MetricValue> metrics;
  for (std::size_t first = 0; first < lanes.size(); ++first) {
    for (std::size_t second = first + 1; second < lanes.size(); ++second) {
      const std::string& a = context.trace().lanes[lanes[first]].name;
      const std::string& b = context.trace().lanes[lanes[second]].name;
      MetricDefinition definition{
          "overlap/" + a + "/" + b, "Overlap " + a + ", " + b,
          "Share of the less busy lane's time during which the other works too.",
          "U(a \xE2\x88\xA9 b) / min(U(a), U(b))", MetricHint::percentage};
      metrics.push_back(context.over_work(std::move(definition), overlaps.values(first, second),
                                          "one of the lanes is never busy"));
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
