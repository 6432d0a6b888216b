/// How many tasks of each captured graph could ever run at once.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> logical_width_metrics(MetricContext& context);

}  // namespace quintet
