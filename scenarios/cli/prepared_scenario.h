/// A scenario ready to be run or looked at: everything between its names and the proof's verdict.
#pragma once

#include <memory>

#include "runtime/exec/training_session.h"
#include "runtime/network/scenario.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/stream_policy.h"
#include "scenarios/cli/policy_options.h"
#include "scenarios/cli/scenario_options.h"

namespace quintet {

struct PreparedScenario {
  Scenario scenario;
  StreamPolicy policy;
  std::shared_ptr<const DatasetPair> data;
  std::unique_ptr<TrainingSession> session;
  ProofReport proof;
};

/// Every error names a file: at least the scenario's.
Result<PreparedScenario> prepare_scenario(const ScenarioOptions& what, const PolicyOptions& options,
                                          std::shared_ptr<Backend> backend);

}  // namespace quintet
