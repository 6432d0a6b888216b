/// Overlap of every pair of stream lanes.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

/// With more lanes than these the pairs would outnumber everything else.
inline constexpr std::size_t kPairLanes = 12;

/// How much lanes overlap in the observed steps (see pair_overlap). Borrows the context.
class LaneOverlaps {
 public:
  LaneOverlaps(const MetricContext& context, std::vector<std::size_t> lanes);
  /// Of two of the lanes, by their position: one value per step in which both are busy.
  [[nodiscard]] std::vector<double> values(std::size_t first, std::size_t second) const;

 private:
  const MetricContext& context_;
  std::vector<std::size_t> lanes_;
  std::vector<std::vector<std::int64_t>> busy_;  ///< per lane, per step
};

/// The stream lanes whose pairs are looked at, by position in the lane table: all of them, or the
/// kPairLanes busiest.
std::vector<std::size_t> pair_lanes(const MetricContext& context);

std::vector<MetricValue> pair_overlap_metrics(MetricContext& context);

}  // namespace quintet
