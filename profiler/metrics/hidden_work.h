/// How much of transfer, communication and update runs beneath compute.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> hidden_work_metrics(MetricContext& context);

}  // namespace quintet
