#include "profiler/metrics/launch_overhead.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace quintet {

namespace {

struct HostCost {
  double launch_ns = 0;
  double launches = 0;
  double held_up = 0;
  double wait_ns = 0;
  double waits = 0;
};

bool blocks(const TraceActivity& activity) {
  return activity.kind == ActivityKind::api_call &&
         activity.name.find("Synchronize") != std::string::npos;
}

/// Imported traces tell of waits as of any other call, by its name.
void add_blocking_calls(const MetricContext& context, std::vector<HostCost>& costs) {
  const Trace& trace = context.trace();
  for (std::size_t step = 0; step < costs.size(); ++step) {
    const StepWindow& window = *context.steps()[step].window;
    for (const std::uint32_t span : window.spans) {
      const std::uint32_t activity = trace.spans.activity[span];
      if (activity >= trace.activities.size() || !blocks(trace.activities[activity])) continue;
      if (!window.time.contains(trace.spans.begin_ns[span])) continue;
      costs[step].wait_ns += static_cast<double>(interval_of(trace.spans, span).length());
      ++costs[step].waits;
    }
  }
}

/// Host calls of each timed step: launches by the step that they serve, where one is told, for
/// hosts run ahead by as many steps as they like; the rest by when it began.
std::vector<HostCost> host_costs(MetricContext& context) {
  std::vector<HostCost> costs(context.steps().size());
  const auto step_at = [&context](std::int64_t time) -> std::size_t {
    const auto& steps = context.steps();
    const auto found = std::partition_point(
        steps.begin(), steps.end(),
        [time](const MeasuredStep& step) { return step.window->time.end <= time; });
    const bool within = found != steps.end() && found->window->time.contains(time);
    return within ? static_cast<std::size_t>(found - steps.begin()) : steps.size();
  };
  std::unordered_map<std::int64_t, std::size_t> serving;
  for (std::size_t step = 0; step < costs.size(); ++step)
    serving[context.steps()[step].step->step] = step;
  for (const LaunchCall& call : context.relations().calls()) {
    std::size_t step = costs.size();
    if (call.step < 0) {
      step = step_at(call.time.begin);
    } else if (const auto found = serving.find(call.step); found != serving.end()) {
      step = found->second;
    }
    if (step == costs.size()) continue;
    costs[step].launch_ns += static_cast<double>(call.time.length() - call.held_up_ns);
    costs[step].held_up += call.held_up_ns > 0 ? 1 : 0;
    ++costs[step].launches;
  }
  for (const TraceHostWait& wait : context.trace().host_waits) {
    const std::size_t step = step_at(wait.begin_ns);
    if (step == costs.size() || wait.kind != "host_sync") continue;
    costs[step].wait_ns += static_cast<double>(Interval{wait.begin_ns, wait.end_ns}.length());
    ++costs[step].waits;
  }
  add_blocking_calls(context, costs);
  return costs;
}

}  // namespace

std::vector<MetricValue> launch_overhead_metrics(MetricContext& context) {
  const std::vector<HostCost> costs = host_costs(context);
  // Without the work nobody knows which calls launched any.
  const bool unjoined = context.work_record() == DeviceWorkRecord::missing ||
                        context.work_record() == DeviceWorkRecord::unrecognised;
  const auto metric = [&](MetricDefinition definition, double HostCost::*member, bool recorded,
                          const char* absence) {
    std::vector<double> values;
    for (const HostCost& cost : costs)
      values.push_back(cost.*member);
    if (!recorded && !costs.empty() && unjoined && member != &HostCost::wait_ns &&
        member != &HostCost::waits) {
      return unknown_metric(std::move(definition), reason_of(context.work_record()));
    }
    if (!recorded && !costs.empty()) return absent_metric(std::move(definition), absence);
    return known_over_steps(std::move(definition), std::move(values), context.no_steps_reason());
  };
  const bool launches = !context.relations().calls().empty();
  const std::vector<TraceActivity>& activities = context.trace().activities;
  const bool waits = !context.trace().launches.empty() ||
                     std::any_of(activities.begin(), activities.end(), blocks);
  constexpr const char* kNoLaunch = "no launch was recorded";
  constexpr const char* kNoWait = "no wait of the host was recorded";
  std::vector<MetricValue> metrics = {
      metric(
          {"launch/time", "Launch time",
           "Host time spent in launch calls per step, less what a profiler or driver reported of "
           "overhead meanwhile.",
           "sum over launches of d", MetricHint::duration},
          &HostCost::launch_ns, launches, kNoLaunch),
      metric({"launch/count", "Launches",
              "Calls per step that launch work: of graphs, or of single kernels and copies.",
              "count of launches", MetricHint::count},
             &HostCost::launches, launches, kNoLaunch),
      metric({"host_sync/time", "Host synchronisation time",
              "Host time blocked in stream synchronisations per step.", "sum over host_sync of d",
              MetricHint::duration},
             &HostCost::wait_ns, waits, kNoWait),
      metric({"host_sync/count", "Host synchronisations", "Stream synchronisations per step.",
              "count of host_sync", MetricHint::count},
             &HostCost::waits, waits, kNoWait),
  };
  const std::vector<TraceTask>& tasks = context.trace().tasks;
  if (std::any_of(tasks.begin(), tasks.end(),
                  [](const TraceTask& task) { return task.op_kind == kOverheadKind; })) {
    metrics.push_back(metric(
        {"launch/held_up", "Launches held up",
         "Launches per step during which a profiler or driver reported overhead of its own: to ask "
         "for a buffer, to load a module.",
         "count of launches", MetricHint::count},
        &HostCost::held_up, launches, kNoLaunch));
  }
  return metrics;
}

}  // namespace quintet
