#include "scenarios/cli/prepared_scenario.h"

#include <algorithm>
#include <utility>

#include "runtime/network/scenario_spec.h"
#include "scenarios/lab/replanner.h"

namespace quintet {

namespace {

/// Shapes that do not fit, for one, are found long after the file was read.
tl::unexpected<Error> in_file(Error error, const std::string& file) {
  if (error.file.empty()) error.file = file;
  return tl::unexpected<Error>(std::move(error));
}

/// The steps of a run that transfers nothing after its first two batches are not among those that
/// prove() goes over; the first few hold all of them.
StepSequence resident_steps(const TrainingSession& session) {
  constexpr std::size_t kSteps = 6;
  RunSchedule schedule = session.schedule();
  schedule.resize(std::min(schedule.size(), kSteps));
  return sequence_of(schedule);
}

Result<ProofReport> prove_session(const TrainingSession& session) {
  Result<ProofReport> proof = prove(session.plan());
  if (!proof || !proof->race_free() || !session.spec().length.resident_input) return proof;
  return prove(session.plan(), resident_steps(session));
}

/// What a computed policy maps. The scenario's own policy, which may be the one to be computed, does
/// not matter here.
Result<PlanInput> input_of_scenario(Scenario scenario) {
  scenario.policy = "serial";
  const Result<Replanner> replanner = Replanner::of_scenario(scenario);
  if (!replanner) return in_file(replanner.error(), scenario.file);
  return replanner->input();
}

}  // namespace

Result<PreparedScenario> prepare_scenario(const ScenarioOptions& what, const PolicyOptions& options,
                                          std::shared_ptr<Backend> backend) {
  Result<Scenario> scenario = choose_scenario(what);
  if (!scenario) return tl::unexpected(scenario.error());
  Result<StreamPolicy> policy =
      choose_policy(options, *scenario, [&scenario] { return input_of_scenario(*scenario); });
  if (!policy) return tl::unexpected(policy.error());
  auto data = open_data(*scenario);
  if (!data) return in_file(data.error(), scenario->file);
  Result<TrainingSpec> spec = spec_of(*scenario, shape_of(**data));
  if (!spec) return in_file(spec.error(), scenario->file);
  auto session = TrainingSession::prepare(std::move(*spec), *data, *policy, std::move(backend));
  if (!session) return in_file(session.error(), scenario->file);
  Result<ProofReport> proof = prove_session(**session);
  if (!proof) return in_file(proof.error(), scenario->file);
  return PreparedScenario{std::move(*scenario), std::move(*policy), std::move(*data),
                          std::move(*session), std::move(*proof)};
}

}  // namespace quintet
