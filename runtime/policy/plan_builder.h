/// From ops, tasks and a policy to the whole ExecutionPlan: streams, memory, captured graphs with
/// their waits, step programs.
#pragma once

#include <vector>

#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"
#include "runtime/policy/stream_policy.h"

namespace quintet {

/// What a policy is applied to. Tasks in program order with their workspace already known; tensors
/// without places.
struct PlanInput {
  TensorTable tensors;
  std::vector<ShapeVariant> shapes;
  GraphAtlas atlas;
  std::vector<Task> tasks;
  Lowering lowering = Lowering::article;
  std::int32_t micro_batches = 1;  ///< batches whose gradients are added up before an update
  FeatureSharing sharing = FeatureSharing::by_lifetime;
};

/// Applies the policy. Errors: a task or sub-graph that the policy lists no stream for, an issue
/// order against the conflicts. The plan is not proved here: prove() judges it.
Result<ExecutionPlan> build_plan(PlanInput input, const StreamPolicy& policy);

/// Every step variant that a run over these shapes can need, both slots.
std::vector<StepVariant> step_variants(const std::vector<ShapeVariant>& shapes,
                                       std::int32_t micro_batches);

}  // namespace quintet
