#include "profiler/metrics/logical_width_metric.h"

#include <set>

#include "profiler/analysis/logical_width.h"

namespace quintet {

namespace {

/// Graphs launched in timed steps, by index; all graphs of the full shape where no launch was
/// recorded.
std::set<std::uint32_t> graphs_in_use(const MetricContext& context) {
  std::set<std::int32_t> timed;
  for (const MeasuredStep& step : context.steps())
    timed.insert(static_cast<std::int32_t>(step.step->step));
  std::set<std::uint32_t> graphs;
  for (const TraceLaunch& launch : context.trace().launches) {
    if (timed.contains(launch.step) && launch.graph < context.trace().graphs.size()) {
      graphs.insert(launch.graph);
    }
  }
  return graphs;
}

}  // namespace

std::vector<MetricValue> logical_width_metrics(MetricContext& context) {
  const Trace& trace = context.trace();
  std::vector<MetricValue> metrics;
  for (const std::uint32_t index : graphs_in_use(context)) {
    const TraceGraph& graph = trace.graphs[index];
    if (graph.tasks.size() < 2) continue;
    metrics.push_back(known_metric(
        {"width/data/" + graph.name, "Width of " + graph.name,
         "The most tasks that the data would let run at once: the largest antichain.",
         "max antichain of conflicting accesses", MetricHint::count},
        static_cast<double>(logical_width(trace, graph, context.relations(), PathOrder::data))));
    metrics.push_back(known_metric(
        {"width/policy/" + graph.name, "Width of " + graph.name + " as captured",
         "The most tasks that streams and edges let run at once.",
         "max antichain of stream order and edges", MetricHint::count},
        static_cast<double>(logical_width(trace, graph, context.relations(), PathOrder::as_run))));
  }
  if (metrics.empty()) {
    MetricDefinition definition{"width/data", "Logical width",
                                "The most tasks that the data would let run at once.",
                                "max antichain of conflicting accesses", MetricHint::count};
    metrics.push_back(
        context.steps().empty()
            ? unknown_metric(std::move(definition), context.no_steps_reason())
            : absent_metric(std::move(definition), "no graph of two tasks or more was launched"));
  }
  return metrics;
}

}  // namespace quintet
