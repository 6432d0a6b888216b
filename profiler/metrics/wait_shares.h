/// What the streams' idle time is spent on.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> wait_share_metrics(MetricContext& context);

}  // namespace quintet
