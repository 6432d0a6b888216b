/// How many kernels, copies and fills a step has.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> device_count_metrics(MetricContext& context);

}  // namespace quintet
