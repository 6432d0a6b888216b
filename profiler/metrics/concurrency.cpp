#include "profiler/metrics/concurrency.h"

#include <algorithm>

namespace quintet {

namespace {

MetricValue mean_concurrency(const MetricContext& context) {
  std::vector<double> values;
  for (const MeasuredStep* step : context.observed_steps()) {
    const std::int64_t busy = step->occupancy.busy();
    if (busy > 0) {
      values.push_back(static_cast<double>(step->occupancy.total()) / static_cast<double>(busy));
    }
  }
  return known_over_steps(
      {"concurrency/mean", "Mean concurrency",
       "Mean number of spans active while any is, by the wall clock. On more streams than "
       "processors a span that waits for a processor counts as active: see CPU concurrency.",
       "sum of d / U(all)", MetricHint::factor},
      std::move(values),
      context.observed_steps().empty() ? context.not_observed_reason()
                                       : "no span lies in a timed step");
}

bool of_a_device(const Trace& trace) {
  return std::any_of(trace.activities.begin(), trace.activities.end(),
                     [](const TraceActivity& each) { return each.kind == ActivityKind::kernel; });
}

MetricValue cpu_concurrency(const MetricContext& context) {
  MetricDefinition definition{
      "concurrency/cpu", "CPU concurrency",
      "Processors kept busy by the streams on average over the step. Wall overlap misleads where "
      "streams share processors; this does not.",
      "sum of CPU time of spans / T", MetricHint::factor};
  std::vector<double> values;
  for (const MeasuredStep* step : context.observed_steps()) {
    if (!step->cpu_known) {
      return of_a_device(context.trace())
                 ? absent_metric(std::move(definition), "work of a device takes no CPU time")
                 : unknown_metric(std::move(definition), "spans do not carry CPU time");
    }
    values.push_back(step->cpu_ns / step->length());
  }
  return known_over_steps(std::move(definition), std::move(values), context.not_observed_reason());
}

}  // namespace

std::vector<MetricValue> concurrency_metrics(MetricContext& context) {
  std::vector<MetricValue> metrics{mean_concurrency(context), cpu_concurrency(context)};
  std::size_t levels = 0;
  for (const MeasuredStep* step : context.observed_steps()) {
    levels = std::max(levels, step->occupancy.time_at.size());
  }
  for (std::size_t n = 0; n < levels; ++n) {
    std::vector<double> values;
    for (const MeasuredStep* step : context.observed_steps()) {
      const auto& time_at = step->occupancy.time_at;
      values.push_back(n < time_at.size() ? static_cast<double>(time_at[n]) : 0.0);
    }
    const std::string count = std::to_string(n);
    metrics.push_back(known_over_steps(
        {"concurrency/time/" + count, n == 0 ? "Idle" : count + (n == 1 ? " span" : " spans"),
         "Time per step with exactly " + count + " spans active.", "t(" + count + ")",
         MetricHint::duration},
        std::move(values), context.not_observed_reason()));
  }
  return metrics;
}

}  // namespace quintet
