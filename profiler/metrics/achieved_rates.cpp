#include "profiler/metrics/achieved_rates.h"

#include "profiler/analysis/critical_path.h"

namespace quintet {

namespace {

MetricValue rate(const MetricContext& context, MetricDefinition definition,
                 std::vector<double> values, const char* unsaid) {
  return context.over_work_or_unknown(std::move(definition), std::move(values), unsaid);
}

}  // namespace

std::vector<MetricValue> achieved_rate_metrics(MetricContext& context) {
  std::vector<double> flops;
  std::vector<double> bytes;
  for (const MeasuredStep* step : context.sampled_steps()) {
    double flops_in_step = 0;
    double bytes_in_step = 0;
    for (const RunInterval& run : stream_runs(context.trace(), *step->window)) {
      flops_in_step += context.trace().tasks[run.task].flops;
      bytes_in_step += context.trace().tasks[run.task].bytes;
    }
    if (flops_in_step > 0) flops.push_back(flops_in_step * 1e9 / step->length());
    if (bytes_in_step > 0) bytes.push_back(bytes_in_step * 1e9 / step->length());
  }
  return {
      rate(context,
           {"rate/flops", "Arithmetic achieved",
            "Floating-point operations of the tasks that begin in the step, by its time.",
            "sum of FLOP / T", MetricHint::flop_rate},
           std::move(flops), "the tasks do not say their floating-point operations"),
      rate(context,
           {"rate/bytes", "Memory traffic achieved",
            "Bytes that the tasks that begin in the step must move at least, by its time.",
            "sum of bytes / T", MetricHint::bandwidth},
           std::move(bytes), "the tasks do not say their bytes"),
  };
}

}  // namespace quintet
