/// How long a step takes and how many samples a second that makes.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> step_time_metrics(MetricContext& context);

}  // namespace quintet
