#include "profiler/metrics/stream_gain.h"

#include <map>
#include <set>

#include "profiler/analysis/distribution.h"
#include "profiler/analysis/run_interval.h"

namespace quintet {

namespace {

std::string no_serial_reason(const MetricContext& context) {
  const MetricContext* serial = context.serial();
  if (serial == nullptr) return "needs a serial recording of the same scenario";
  for (const char* key : {"scenario", "executor", "lowering"}) {
    if (serial->provenance(key) != context.provenance(key)) {
      return "the serial recording is of another " + std::string(key) + ": " +
             serial->provenance(key);
    }
  }
  if (context.steps().empty()) return context.no_steps_reason();
  if (serial->steps().empty()) return "in the serial recording: " + serial->no_steps_reason();
  return {};
}

double median_length(const MetricContext& context) {
  std::vector<double> lengths;
  for (const MeasuredStep& step : context.steps())
    lengths.push_back(step.length());
  return distribution_of(std::move(lengths)).median;
}

/// Median busy time of each stream task over the sampled steps, by "graph/name@shape".
std::map<std::string, double> task_times(const MetricContext& context) {
  std::map<std::string, std::vector<double>> samples;
  for (const MeasuredStep* step : context.sampled_steps()) {
    for (const RunInterval& run : task_runs(context.trace(), *step->window, RunChoice::begun)) {
      const TraceTask& task = context.trace().tasks[run.task];
      if (context.classes()[run.task] == SpanClass::host) continue;
      samples[task.graph + "/" + task.name + "@" + task.shape].push_back(
          static_cast<double>(run.busy_ns));
    }
  }
  std::map<std::string, double> times;
  for (auto& [name, values] : samples)
    times[name] = distribution_of(std::move(values)).median;
  return times;
}

MetricValue task_stretch(const MetricContext& context, const std::string& reason) {
  MetricDefinition definition{
      "gain/task_stretch", "Task time against serial",
      "How much longer the tasks take altogether than the same tasks in the serial recording: what "
      "sharing the machine costs.",
      "sum of median d / sum of median d in serial", MetricHint::factor};
  if (!reason.empty()) return unknown_metric(std::move(definition), reason);
  const std::map<std::string, double> here = task_times(context);
  const std::map<std::string, double> serial = task_times(*context.serial());
  double sum = 0;
  double serial_sum = 0;
  for (const auto& [name, time] : here) {
    const auto found = serial.find(name);
    if (found == serial.end()) continue;
    sum += time;
    serial_sum += found->second;
  }
  if (serial_sum == 0) {
    return unknown_metric(std::move(definition), "no task is in both recordings");
  }
  return known_metric(std::move(definition), sum / serial_sum);
}

}  // namespace

std::vector<MetricValue> stream_gain_metrics(MetricContext& context) {
  const std::string reason = no_serial_reason(context);
  MetricDefinition gain{"gain/true", "True gain",
                        "How many times faster the step is than under the policy serial.",
                        "T(serial) / T", MetricHint::factor};
  MetricDefinition slowdown{"gain/corun_slowdown", "Co-run slowdown",
                            "How much longer a task takes beside others than alone.",
                            "d(co-run) / d(alone)", MetricHint::factor};
  std::vector<MetricValue> metrics;
  metrics.push_back(
      reason.empty()
          ? known_metric(std::move(gain), median_length(*context.serial()) / median_length(context))
          : unknown_metric(std::move(gain), reason));
  metrics.push_back(task_stretch(context, reason));
  metrics.push_back(unknown_metric(std::move(slowdown),
                                   "needs the tasks' durations alone, which this recording lacks"));
  return metrics;
}

}  // namespace quintet
