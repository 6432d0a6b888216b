/// How many spans are active at once, by the wall clock and by CPU time.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> concurrency_metrics(MetricContext& context);

}  // namespace quintet
