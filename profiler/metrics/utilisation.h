/// How much of the step each lane, and any lane, is busy.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> utilisation_metrics(MetricContext& context);

}  // namespace quintet
