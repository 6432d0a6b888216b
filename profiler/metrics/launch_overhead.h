/// What launching and host synchronisation cost the host per step.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> launch_overhead_metrics(MetricContext& context);

}  // namespace quintet
