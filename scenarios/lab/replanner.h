/// The run of a recording, ready to be planned again under any policy: rebuilt from its scenario,
/// held against the recorded tasks.
#pragma once

#include <utility>

#include "profiler/trace/trace.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"
#include "runtime/network/scenario.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

/// Owns tasks, tensors and policy of one run. Threads: const calls from any number. Usage:
/// auto replanner = Replanner::of_trace(trace); auto plan = replanner->plan(policy);
/// auto proof = prove(*plan).
class Replanner {
 public:
  /// Task k of the plans is task k of the trace, whose tasks of no graph come after. Errors: an import, or a program that is not ours;
  /// a scenario that is not built in and not in the recording; tasks that this version would build
  /// differently.
  static Result<Replanner> of_trace(const Trace& trace);

  /// A scenario that no recording stands behind: tasks want no scratch. Errors: those of spec_of()
  /// and plan_input_of().
  static Result<Replanner> of_scenario(const Scenario& scenario);

  /// The plan under a policy. Errors: those of build_plan().
  [[nodiscard]] Result<ExecutionPlan> plan(const StreamPolicy& policy) const;

  /// Of a recording, the policy it ran under; else the scenario's own.
  [[nodiscard]] const StreamPolicy& policy() const { return policy_; }
  [[nodiscard]] const PlanInput& input() const { return input_; }
  [[nodiscard]] const Scenario& scenario() const { return scenario_; }

 private:
  Replanner(Scenario scenario, StreamPolicy policy, PlanInput input)
      : scenario_(std::move(scenario)), policy_(std::move(policy)), input_(std::move(input)) {}

  Scenario scenario_;
  StreamPolicy policy_;
  PlanInput input_;
};

}  // namespace quintet
