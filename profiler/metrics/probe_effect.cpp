#include "profiler/metrics/probe_effect.h"

#include <charconv>
#include <optional>

#include "profiler/analysis/distribution.h"

namespace quintet {

namespace {

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The recorded steps themselves, where provenance does not say how long they took.
std::optional<double> median_step(const MetricContext& context) {
  std::vector<double> lengths;
  for (const MeasuredStep& step : context.steps())
    lengths.push_back(step.length());
  if (lengths.empty()) return std::nullopt;
  return distribution_of(std::move(lengths)).median;
}

}  // namespace

std::vector<MetricValue> probe_effect_metrics(MetricContext& context) {
  const auto untraced = number(context.provenance("untraced_step_ns"));
  auto traced = number(context.provenance("traced_step_ns"));
  if (!traced) traced = median_step(context);
  MetricDefinition effect{"probe/slowdown", "Probe effect",
                          "How many times longer a step takes while it is recorded.",
                          "T(traced) / T(untraced)", MetricHint::factor};
  MetricDefinition bare{"probe/untraced_step", "Step time untraced",
                        "Step time of the same run without recording.", "T(untraced)",
                        MetricHint::duration};
  std::vector<MetricValue> metrics;
  if (!untraced || *untraced <= 0) {
    const std::string reason = "the steps were not timed without recording";
    metrics.push_back(unknown_metric(std::move(effect), reason));
    metrics.push_back(unknown_metric(std::move(bare), reason));
    return metrics;
  }
  metrics.push_back(traced ? known_metric(std::move(effect), *traced / *untraced)
                           : unknown_metric(std::move(effect), context.no_steps_reason()));
  metrics.push_back(known_metric(std::move(bare), *untraced));
  return metrics;
}

}  // namespace quintet
