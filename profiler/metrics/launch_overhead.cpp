#include "profiler/metrics/launch_overhead.h"

#include <map>

namespace quintet {

namespace {

struct HostCost {
  double launch_ns = 0;
  double launches = 0;
  double wait_ns = 0;
  double waits = 0;
};

/// Host calls of each timed step, by when they began.
std::vector<HostCost> host_costs(const MetricContext& context) {
  std::vector<HostCost> costs(context.steps().size());
  const auto step_at = [&context](std::int64_t time) -> std::size_t {
    const auto& steps = context.steps();
    const auto found = std::partition_point(
        steps.begin(), steps.end(),
        [time](const MeasuredStep& step) { return step.window->time.end <= time; });
    const bool within = found != steps.end() && found->window->time.contains(time);
    return within ? static_cast<std::size_t>(found - steps.begin()) : steps.size();
  };
  for (const TraceLaunch& launch : context.trace().launches) {
    const std::size_t step = step_at(launch.begin_ns);
    if (step == costs.size()) continue;
    costs[step].launch_ns += static_cast<double>(launch.end_ns - launch.begin_ns);
    ++costs[step].launches;
  }
  for (const TraceHostWait& wait : context.trace().host_waits) {
    const std::size_t step = step_at(wait.begin_ns);
    if (step == costs.size() || wait.kind != "host_sync") continue;
    costs[step].wait_ns += static_cast<double>(wait.end_ns - wait.begin_ns);
    ++costs[step].waits;
  }
  return costs;
}

}  // namespace

std::vector<MetricValue> launch_overhead_metrics(MetricContext& context) {
  const std::vector<HostCost> costs = host_costs(context);
  const auto metric = [&](MetricDefinition definition, double HostCost::*member, bool recorded,
                          const char* absence) {
    std::vector<double> values;
    for (const HostCost& cost : costs)
      values.push_back(cost.*member);
    if (!recorded && !costs.empty()) return absent_metric(std::move(definition), absence);
    return known_over_steps(std::move(definition), std::move(values), context.no_steps_reason());
  };
  const bool launches = !context.trace().launches.empty();
  constexpr const char* kNoLaunch = "no launch was recorded";
  return {
      metric({"launch/time", "Launch time", "Host time spent in launch calls per step.",
              "sum over launches of d", MetricHint::duration},
             &HostCost::launch_ns, launches, kNoLaunch),
      metric({"launch/count", "Launches", "Graph launches per step.", "count of launches",
              MetricHint::count},
             &HostCost::launches, launches, kNoLaunch),
      metric({"host_sync/time", "Host synchronisation time",
              "Host time blocked in stream synchronisations per step.", "sum over host_sync of d",
              MetricHint::duration},
             &HostCost::wait_ns, launches, kNoLaunch),
      metric({"host_sync/count", "Host synchronisations", "Stream synchronisations per step.",
              "count of host_sync", MetricHint::count},
             &HostCost::waits, launches, kNoLaunch),
  };
}

}  // namespace quintet
