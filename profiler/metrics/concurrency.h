/// How many spans are active at once, by the wall clock and by CPU time.
#pragma once

#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

/// Numbers of spans that are told one by one, from 0; more at once are told together.
inline constexpr std::size_t kConcurrencyLevels = 256;

/// How many numbers of spans active at once occur in the observed steps: from 0 to the most.
std::size_t concurrency_levels(const MetricContext& context);
/// Time of a step with kConcurrencyLevels spans active or more, ns.
std::int64_t time_above(const MeasuredStep& step);

std::vector<MetricValue> concurrency_metrics(MetricContext& context);

}  // namespace quintet
