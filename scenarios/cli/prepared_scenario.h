/// A scenario ready to be run or looked at: everything between its names and the proof's verdict.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/exec/training_session.h"
#include "runtime/network/scenario.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/stream_policy.h"
#include "scenarios/cli/policy_options.h"

namespace quintet {

struct PreparedScenario {
  Scenario scenario;
  StreamPolicy policy;
  std::shared_ptr<const DatasetPair> data;
  std::unique_ptr<TrainingSession> session;
  ProofReport proof;
};

/// `steps` limits the training. Every error names a file: at least the scenario's.
Result<PreparedScenario> prepare_scenario(const std::string& name_or_path,
                                          const PolicyOptions& options,
                                          std::optional<std::int64_t> steps,
                                          std::shared_ptr<Backend> backend);

}  // namespace quintet
