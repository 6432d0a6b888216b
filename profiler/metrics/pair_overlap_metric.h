/// Overlap of every pair of stream lanes.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> pair_overlap_metrics(MetricContext& context);

}  // namespace quintet
