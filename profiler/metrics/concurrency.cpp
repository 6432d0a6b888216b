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
  return context.over_work_or_unknown(
      {"concurrency/mean", "Mean concurrency",
       "Mean number of spans active while any is, by the wall clock. On more streams than "
       "processors a span that waits for a processor counts as active: see CPU concurrency.",
       "sum of d / U(all)", MetricHint::factor},
      std::move(values), "no span lies in a timed step");
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
  return context.over_work_or_unknown(std::move(definition), std::move(values), {});
}

}  // namespace

std::size_t concurrency_levels(const MetricContext& context) {
  std::size_t levels = 0;
  for (const MeasuredStep* step : context.observed_steps())
    levels = std::max(levels, step->occupancy.levels());
  return levels;
}

std::int64_t time_above(const MeasuredStep& step) {
  const Occupancy& occupancy = step.occupancy;
  std::int64_t time = 0;
  for (std::size_t n = std::max(kConcurrencyLevels, occupancy.covering); n < occupancy.levels();
       ++n)
    time += occupancy.time_with(n);
  return time;
}

std::vector<MetricValue> concurrency_metrics(MetricContext& context) {
  std::vector<MetricValue> metrics{mean_concurrency(context), cpu_concurrency(context)};
  const std::size_t levels = concurrency_levels(context);
  for (std::size_t n = 0; n < std::min(levels, kConcurrencyLevels); ++n) {
    const std::string count = std::to_string(n);
    std::vector<double> values;
    for (const MeasuredStep* step : context.observed_steps())
      values.push_back(static_cast<double>(step->occupancy.time_with(n)));
    metrics.push_back(known_over_steps(
        {"concurrency/time/" + count, n == 0 ? "Idle" : count + (n == 1 ? " span" : " spans"),
         "Time per step with exactly " + count + " spans active.", "t(" + count + ")",
         MetricHint::duration},
        std::move(values), {}));
  }
  if (levels > kConcurrencyLevels) {
    const std::string count = std::to_string(kConcurrencyLevels);
    std::vector<double> values;
    for (const MeasuredStep* step : context.observed_steps())
      values.push_back(static_cast<double>(time_above(*step)));
    metrics.push_back(known_over_steps({"concurrency/time/more", count + " spans or more",
                                        "Time per step with at least " + count + " spans active.",
                                        "sum of t(n) from " + count, MetricHint::duration},
                                       std::move(values), {}));
  }
  return metrics;
}

}  // namespace quintet
