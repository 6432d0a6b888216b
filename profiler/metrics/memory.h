/// Bytes of each memory region, and of each memory space.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> memory_metrics(MetricContext& context);

}  // namespace quintet
