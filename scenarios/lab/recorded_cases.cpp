#include "scenarios/lab/recorded_cases.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "profiler/whatif/cost_model.h"
#include "scenarios/lab/replanner.h"

namespace quintet {

namespace {

bool on_one_stream_in_whole_steps(const ExecutionPlan& plan) {
  std::set<StreamKind> streams;
  for (const auto& [key, graph] : plan.graphs) {
    for (const PlacedTask& placed : graph.tasks)
      streams.insert(placed.stream);
  }
  return plan.mode == StepMode::whole_step && streams.size() == 1;
}

/// The same for all runs of the same tasks, however the scenario was given.
std::string tasks_key(const Scenario& scenario) {
  return fmt::format("{}\n{} {} {} {}", scenario.text, scenario.batch, name_of(scenario.precision),
                     name_of(scenario.lowering), scenario.resident_input);
}

/// A case that its base is still looked for of.
struct OpenCase {
  std::string key;
  std::string scenario;  ///< its name
  std::optional<FitCase> with_base;
  std::vector<MeasuredPlan> measured;
};

OpenCase& case_of(std::vector<OpenCase>& cases, const Scenario& scenario) {
  const std::string key = tasks_key(scenario);
  const auto found = std::find_if(cases.begin(), cases.end(),
                                  [&](const OpenCase& each) { return each.key == key; });
  return found != cases.end() ? *found : cases.emplace_back(OpenCase{key, scenario.name, {}, {}});
}

Result<void> take(NamedTrace recording, std::vector<OpenCase>& cases) {
  const auto run = Replanner::of_trace(recording.trace);
  if (!run) return tl::unexpected(run.error());
  auto plan = run->plan(run->policy());
  if (!plan) return tl::unexpected(plan.error());
  const double step_ns = recorded_step_ns(recording.trace);
  if (step_ns <= 0) {
    return fail("its step time is not known", "record at least 96 steps", recording.name);
  }
  OpenCase& open = case_of(cases, run->scenario());
  if (!open.with_base && on_one_stream_in_whole_steps(*plan)) {
    open.with_base = FitCase{std::move(recording.trace), std::move(*plan), {}};
  } else {
    open.measured.push_back({recording.name, std::move(*plan), step_ns});
  }
  return {};
}

}  // namespace

Result<std::vector<FitCase>> fit_cases_of(std::vector<NamedTrace> recordings) {
  std::vector<OpenCase> open;
  const std::string device = recordings.empty() ? "" : device_name_of(recordings.front().trace);
  for (NamedTrace& recording : recordings) {
    if (device_name_of(recording.trace) != device) {
      return fail(fmt::format("was recorded on '{}', the first one on '{}'",
                              device_name_of(recording.trace), device),
                  "calibrate each device by itself", recording.name);
    }
    if (auto taken = take(std::move(recording), open); !taken) return tl::unexpected(taken.error());
  }
  std::vector<FitCase> cases;
  for (OpenCase& each : open) {
    if (!each.with_base) {
      return fail(
          fmt::format("no recording of '{}' is on one stream in whole steps", each.scenario),
          "record it: quintet run SCENARIO --policy serial --step whole_step");
    }
    each.with_base->measured = std::move(each.measured);
    cases.push_back(std::move(*each.with_base));
  }
  return cases;
}

}  // namespace quintet
