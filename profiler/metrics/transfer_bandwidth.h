/// How fast copies move their bytes, by direction.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> transfer_bandwidth_metrics(MetricContext& context);

}  // namespace quintet
