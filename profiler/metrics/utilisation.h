/// How much of the step each lane, and any lane, is busy.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

/// Streams beyond the busiest of this number are counted, not listed: with many steps their values
/// would outnumber everything else.
inline constexpr std::size_t kUtilisationLanes = 256;

std::vector<MetricValue> utilisation_metrics(MetricContext& context);

}  // namespace quintet
