/// The critical path and what bounds a step from below.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> bound_metrics(MetricContext& context);

}  // namespace quintet
