/// How much slower recording made the steps.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> probe_effect_metrics(MetricContext& context);

}  // namespace quintet
