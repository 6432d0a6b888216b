/// What the streams bought against a serial recording of the same scenario, and what co-running
/// cost the tasks.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> stream_gain_metrics(MetricContext& context);

}  // namespace quintet
