/// The list of every metric family, and the call that computes them all.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "profiler/metrics/metric.h"
#include "profiler/metrics/metric_context.h"

namespace quintet {

/// Metrics that belong together: one entry of the catalog, one file.
struct MetricFamily {
  std::string_view name;  ///< "Step": the heading in reports
  std::vector<MetricValue> (*compute)(MetricContext& context);
};

std::span<const MetricFamily> metric_catalog();

/// A family's values under its name.
struct MetricGroup {
  std::string_view family;
  std::vector<MetricValue> values;
};

/// Families in the order of the catalog.
std::vector<MetricGroup> compute_metric_groups(MetricContext& context);

/// Every metric, in the order of the catalog. `serial`: a recording of the same scenario under
/// `serial`, for what needs one.
std::vector<MetricValue> compute_metrics(const Trace& trace, const Trace* serial = nullptr);

}  // namespace quintet
