#include "profiler/metrics/step_time.h"

namespace quintet {

namespace {

std::string meaning_of(WindowBasis basis) {
  switch (basis) {
    case WindowBasis::steady_steps:
      return "Wall time between the ends of consecutive training steps of the full batch, the "
             "first " +
             std::to_string(kWarmUpSteps) + " steps of the recording left out.";
    case WindowBasis::all_steps:
      return "Wall time between the ends of consecutive steps; this import has too few of them to "
             "leave a warm-up out.";
    case WindowBasis::whole_range:
      return "Wall time of the whole import, which names no step.";
  }
  return {};
}

}  // namespace

std::vector<MetricValue> step_time_metrics(MetricContext& context) {
  std::vector<double> lengths;
  std::vector<double> rates;
  for (const MeasuredStep& step : context.steps()) {
    lengths.push_back(step.length());
    if (step.step->batch > 0) {
      rates.push_back(static_cast<double>(step.step->batch) * 1e9 / step.length());
    }
  }
  const auto timed = static_cast<double>(lengths.size());
  std::vector<MetricValue> metrics;
  metrics.push_back(known_over_steps({"step/time", "Step time", meaning_of(context.basis()),
                                      "T = end(step) - end(step before)", MetricHint::duration},
                                     std::move(lengths), context.no_steps_reason()));
  metrics.push_back(known_over_steps(
      {"step/throughput", "Throughput", "Samples trained per second of step time.", "batch / T",
       MetricHint::rate},
      std::move(rates),
      context.steps().empty() ? context.no_steps_reason() : "the steps do not say their batch"));
  metrics.push_back(known_metric(
      {"step/timed", "Timed steps", "Number of steps that the values over steps rest on.",
       "count of timed steps", MetricHint::count},
      timed));
  return metrics;
}

}  // namespace quintet
