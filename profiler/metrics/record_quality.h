/// What a recording lacks: dropped, untimed and unattributed records.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

std::vector<MetricValue> record_quality_metrics(MetricContext& context);

}  // namespace quintet
