/// Overlap of every pair of stream lanes.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

/// With more lanes than these the pairs would outnumber everything else.
inline constexpr std::size_t kPairLanes = 12;

/// The stream lanes whose pairs are looked at, by position in the lane table: all of them, or the
/// kPairLanes busiest.
std::vector<std::size_t> pair_lanes(const MetricContext& context);

std::vector<MetricValue> pair_overlap_metrics(MetricContext& context);

}  // namespace quintet
