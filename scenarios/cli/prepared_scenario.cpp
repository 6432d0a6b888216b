#include "scenarios/cli/prepared_scenario.h"

#include <utility>

#include "runtime/exec/scenario_session.h"
#include "runtime/network/scenario_catalog.h"

namespace quintet {

namespace {

/// Shapes that do not fit, for one, are found long after the file was read.
tl::unexpected<Error> in_file(Error error, const std::string& file) {
  if (error.file.empty()) error.file = file;
  return tl::unexpected<Error>(std::move(error));
}

}  // namespace

Result<PreparedScenario> prepare_scenario(const std::string& name_or_path,
                                          const PolicyOptions& options,
                                          std::optional<std::int64_t> steps,
                                          std::shared_ptr<Backend> backend) {
  Result<Scenario> scenario = find_scenario(name_or_path);
  if (!scenario) return tl::unexpected(scenario.error());
  Result<StreamPolicy> policy = choose_policy(options, *scenario);
  if (!policy) return tl::unexpected(policy.error());
  auto data = open_data(*scenario);
  if (!data) return in_file(data.error(), scenario->file);
  Result<TrainingSpec> spec = spec_of(*scenario, **data, steps);
  if (!spec) return in_file(spec.error(), scenario->file);
  auto session = TrainingSession::prepare(std::move(*spec), *data, *policy, std::move(backend));
  if (!session) return in_file(session.error(), scenario->file);
  Result<ProofReport> proof = prove((*session)->plan());
  if (!proof) return in_file(proof.error(), scenario->file);
  return PreparedScenario{std::move(*scenario), std::move(*policy), std::move(*data),
                          std::move(*session), std::move(*proof)};
}

}  // namespace quintet
