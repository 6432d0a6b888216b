#include "scenarios/lab/predictor.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <tuple>

#include "runtime/network/run_schedule.h"

namespace quintet {

namespace {

/// The stream that a plan puts each task on; nothing = on none.
std::vector<std::optional<StreamKind>> streams_of(const ExecutionPlan& plan) {
  std::vector<std::optional<StreamKind>> streams(plan.tasks.size());
  for (const auto& [key, graph] : plan.graphs) {
    for (const PlacedTask& placed : graph.tasks)
      streams[placed.task.value()] = placed.stream;
  }
  return streams;
}

std::vector<MovedTasks> moved_tasks(const ExecutionPlan& before, const ExecutionPlan& after) {
  const auto from = streams_of(before);
  const auto to = streams_of(after);
  std::map<std::tuple<std::string, StreamKind, StreamKind>, std::uint32_t> counts;
  for (std::size_t task = 0; task < std::min(from.size(), to.size()); ++task) {
    if (!from[task] || !to[task] || *from[task] == *to[task]) continue;
    const Task& what = after.tasks[task];
    ++counts[{fmt::format("{}/{}", name_of(what.kind), name_of(what.part)), *from[task],
              *to[task]}];
  }
  std::vector<MovedTasks> moved;
  for (const auto& [key, count] : counts)
    moved.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), count});
  std::stable_sort(moved.begin(), moved.end(),
                   [](const MovedTasks& a, const MovedTasks& b) { return a.tasks > b.tasks; });
  return moved;
}

/// The steps of a run whose first two batches stay on the device are not among those that prove()
/// goes over; the first few hold all of them.
StepSequence resident_steps(const Scenario& scenario, const ExecutionPlan& plan) {
  constexpr std::int64_t kSteps = 6;
  RunLength length;
  length.train_samples = scenario.batch * kSteps;
  length.batch = scenario.batch;
  length.resident_input = true;
  length.micro_batches = plan.micro_batches;
  return sequence_of(make_schedule(length, plan.shapes));
}

Result<ProofReport> prove_run(const Scenario& scenario, const ExecutionPlan& plan) {
  Result<ProofReport> proof = prove(plan);
  if (!proof || !proof->race_free() || !scenario.resident_input) return proof;
  return prove(plan, resident_steps(scenario, plan));
}

}  // namespace

Result<Predictor> Predictor::of_trace(const Trace& trace) {
  auto replanner = Replanner::of_trace(trace);
  if (!replanner) return tl::unexpected(replanner.error());
  auto recorded = replanner->plan(replanner->policy());
  if (!recorded) return tl::unexpected(recorded.error());
  auto model = cost_model_of(trace, *recorded);
  if (!model) return tl::unexpected(model.error());
  return Predictor(std::move(*replanner), std::move(*recorded), std::move(*model),
                   recorded_step_ns(trace));
}

Result<WhatIf> Predictor::what_if(const StreamPolicy& policy) const {
  auto plan = replanner_.plan(policy);
  if (!plan) return tl::unexpected(plan.error());
  auto prediction = predict_step(*plan, model_);
  if (!prediction) return tl::unexpected(prediction.error());
  auto proof = prove_run(replanner_.scenario(), *plan);
  if (!proof) return tl::unexpected(proof.error());
  WhatIf what_if;
  what_if.proof = std::move(*proof);
  what_if.prediction = std::move(*prediction);
  what_if.moved = moved_tasks(recorded_, *plan);
  what_if.plan = std::move(*plan);
  return what_if;
}

Result<Trace> Predictor::trace_of(const WhatIf& what_if, const StreamPolicy& policy,
                                  const Trace& recording) const {
  auto trace = predicted_trace(what_if.plan, model_, recording);
  if (!trace) return trace;
  Provenance& provenance = trace->provenance;
  provenance["policy"] = policy.name;
  provenance["policy_toml"] = save_policy(policy);
  provenance["step_mode"] = name_of(policy.step);
  provenance["sync"] = name_of(policy.sync);
  provenance["gradients"] = name_of(policy.gradients);
  const ProofReport& proof = what_if.proof;
  provenance["verdict"] =
      proof.race_free() ? "race-free" : fmt::format("{} races", proof.races.size());
  for (const Race& race : proof.races)
    trace->findings.push_back({Severity::error, "race", race.text + "; cure: " + race.cure, 1});
  return trace;
}

}  // namespace quintet
