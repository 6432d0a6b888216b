/// How much slower recording made the steps.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

/// Beyond it what a recording shows is a picture of slowed steps, and everything that shows it says
/// so.
inline constexpr double kProbeEffectLimit = 1.05;

std::vector<MetricValue> probe_effect_metrics(MetricContext& context);

}  // namespace quintet
