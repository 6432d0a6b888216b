/// Arithmetic and bytes that the step's tasks do a second.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> achieved_rate_metrics(MetricContext& context);

}  // namespace quintet
