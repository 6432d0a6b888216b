/// How much of the multiprocessors kernels could use, over time.
#pragma once

#include <optional>
#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

/// Per step, the integral over it, in ns, of min(1, sum of the shares of the kernels that run): a
/// kernel of b blocks has at most the share min(1, b / multiprocessors). Never more than the step.
/// Nothing where the recording does not tell the multiprocessors or the grid of a kernel of the
/// step, or where no kernel runs.
std::vector<std::optional<double>> multiprocessor_times(
    const MetricContext& context, const std::vector<const MeasuredStep*>& steps);

/// Absent where no device was at work, else unknown, and why.
MetricValue without_multiprocessor_time(const MetricContext& context, MetricDefinition definition);

std::vector<MetricValue> sm_efficiency_metrics(MetricContext& context);

}  // namespace quintet
