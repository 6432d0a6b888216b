#include "profiler/metrics/bounds.h"

#include "profiler/analysis/critical_path.h"

namespace quintet {

std::vector<MetricValue> bound_metrics(MetricContext& context) {
  std::vector<double> as_run;
  std::vector<double> data;
  std::vector<double> efficiency;
  for (const MeasuredStep* step : context.sampled_steps()) {
    const std::vector<RunInterval> runs = stream_runs(context.trace(), *step->window);
    if (runs.empty()) continue;
    const auto length = [&](PathOrder order) {
      return static_cast<double>(critical_path(runs, context.relations(), order).length_ns);
    };
    as_run.push_back(length(PathOrder::as_run));
    data.push_back(length(PathOrder::data));
    efficiency.push_back(data.back() / step->length());
  }
  const std::string reason =
      context.steps().empty() ? context.no_steps_reason() : "no run begins in a timed step";
  return {
      known_over_steps({"bound/critical_path", "Critical path",
                        "Longest chain of task runs that begin in the step, ordered by captured "
                        "edges, the streams' own order and conflicts; gaps do not count.",
                        "CP = max over chains of sum of d", MetricHint::duration},
                       std::move(as_run), reason),
      known_over_steps({"bound/data_path", "Critical path of the data",
                        "The same with true dependencies only: no placement of these tasks, at "
                        "these durations, is faster.",
                        "LB = CP of conflicting accesses", MetricHint::duration},
                       std::move(data), reason),
      unknown_metric({"bound/sm_area", "Multiprocessor bound",
                      "Time the tasks would take at full use of all multiprocessors.",
                      "sum of SM share * d", MetricHint::duration},
                     "the recording holds no multiprocessor shares"),
      unknown_metric({"bound/bandwidth", "Bandwidth bound",
                      "Time the tasks' bytes need at the memory's full bandwidth.",
                      "sum of bytes / bandwidth", MetricHint::duration},
                     "the machine's memory bandwidth was not measured"),
      known_over_steps({"bound/efficiency", "Efficiency",
                        "How near the step is to the greatest known lower bound, here the critical "
                        "path of the data.",
                        "LB / T", MetricHint::percentage},
                       std::move(efficiency), reason),
  };
}

}  // namespace quintet
