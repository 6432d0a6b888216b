#include "profiler/metrics/metric.h"

#include <cmath>

#include "profiler/analysis/distribution.h"

namespace quintet {

MetricValue known_metric(MetricDefinition definition, double value) {
  return {std::move(definition), MetricState::known, value, {}, std::nullopt, {}};
}

MetricValue known_over_steps(MetricDefinition definition, std::vector<double> values,
                             std::string reason) {
  if (values.empty()) return unknown_metric(std::move(definition), std::move(reason));
  const Distribution over_steps = distribution_of(values);
  // Times are whole nanoseconds, also where the median lies between two steps.
  const bool whole = definition.hint == MetricHint::duration;
  const auto rounded = [whole](double value) { return whole ? std::round(value) : value; };
  MetricValue metric = known_metric(std::move(definition), rounded(over_steps.median));
  metric.spread = MetricSpread{rounded(over_steps.p05), rounded(over_steps.p95)};
  metric.over_steps = std::move(values);
  return metric;
}

MetricValue absent_metric(MetricDefinition definition, std::string reason) {
  return {std::move(definition), MetricState::absent, 0, std::move(reason), std::nullopt, {}};
}

MetricValue unknown_metric(MetricDefinition definition, std::string reason) {
  return {std::move(definition), MetricState::unknown, 0, std::move(reason), std::nullopt, {}};
}

const MetricValue* find_metric(const std::vector<MetricValue>& metrics, std::string_view tag) {
  for (const MetricValue& metric : metrics) {
    if (metric.tag() == tag) return &metric;
  }
  return nullptr;
}

}  // namespace quintet
