#include "profiler/metrics/bounds.h"

#include <algorithm>

#include "profiler/analysis/critical_path.h"
#include "profiler/metrics/sm_efficiency.h"

namespace quintet {

namespace {

MetricValue multiprocessor_bound(const MetricContext& context, std::vector<double> area) {
  MetricDefinition definition{"bound/sm_area", "Multiprocessor bound",
                              "Time the kernels would take at full use of all multiprocessors.",
                              "integral of min(1, sum of SM shares)", MetricHint::duration};
  if (area.empty()) return without_multiprocessor_time(context, std::move(definition));
  return known_over_steps(std::move(definition), std::move(area), {});
}

/// Without accesses, as in imports, no two runs would be ordered, and any placement seem possible.
bool say_accesses(const Trace& trace, const std::vector<RunInterval>& runs) {
  return std::any_of(runs.begin(), runs.end(), [&trace](const RunInterval& run) {
    return !trace.tasks[run.task].accesses.empty();
  });
}

}  // namespace

std::vector<MetricValue> bound_metrics(MetricContext& context) {
  std::vector<double> as_run;
  std::vector<double> calls;
  std::vector<double> data;
  std::vector<double> area;
  std::vector<double> efficiency;
  const std::vector<const MeasuredStep*> steps = context.sampled_steps();
  const std::vector<std::optional<double>> used_times = multiprocessor_times(context, steps);
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const MeasuredStep* step = steps[index];
    const auto [runs, path] = step_path(context.trace(), *step->window, context.relations());
    if (runs.empty()) continue;
    as_run.push_back(static_cast<double>(path.length_ns));
    calls.push_back(static_cast<double>(path.call_ns));
    const std::optional<double> used = used_times[index];
    if (used) area.push_back(*used);
    if (!say_accesses(context.trace(), runs)) continue;
    data.push_back(
        static_cast<double>(critical_path(runs, context.relations(), PathOrder::data).length_ns));
    efficiency.push_back(std::max(data.back(), used.value_or(0)) / step->length());
  }
  const std::string reason = "no run begins in a timed step";
  const std::string unordered =
      as_run.empty() ? reason : "the tasks do not say which memory they touch";
  return {
      context.over_work_or_unknown(
          {"bound/critical_path", "Critical path",
           "Longest chain of task runs and launch calls that begin in the step, ordered "
           "by captured edges, the streams' own order, conflicts, what was launched "
           "by what and what the host waited for; gaps do not count.",
           "CP = max over chains of sum of d", MetricHint::duration},
          std::move(as_run), reason),
      context.over_work_or_unknown(
          {"bound/call_path", "Launch calls on it",
           "The part of the critical path that the host spends in launch calls.",
           "sum of d of calls on CP", MetricHint::duration},
          std::move(calls), reason),
      context.over_work_or_unknown(
          {"bound/data_path", "Critical path of the data",
           "The same with true dependencies only: no placement of these tasks, at "
           "these durations, is faster.",
           "LB = CP of conflicting accesses", MetricHint::duration},
          std::move(data), unordered),
      multiprocessor_bound(context, std::move(area)),
      unknown_metric({"bound/bandwidth", "Bandwidth bound",
                      "Time the tasks' bytes need at the memory's full bandwidth.",
                      "sum of bytes / bandwidth", MetricHint::duration},
                     "the machine's memory bandwidth was not measured"),
      context.over_work_or_unknown(
          {"bound/efficiency", "Efficiency",
           "How near the step is to the greatest known lower bound: the critical path "
           "of the data, or the multiprocessor bound.",
           "LB / T", MetricHint::percentage},
          std::move(efficiency), unordered),
  };
}

}  // namespace quintet
