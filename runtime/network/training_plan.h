/// From what is to be trained to what a policy is applied to: ops lowered to tasks, tensors without
/// places.
#pragma once

#include "runtime/model/result.h"
#include "runtime/network/training_spec.h"
#include "runtime/policy/plan_builder.h"

namespace quintet {

/// Tasks want no scratch yet: an executor's kernels or a recording tell it. Errors: those of
/// build_training_graph() and lower().
Result<PlanInput> plan_input_of(const TrainingSpec& spec);

}  // namespace quintet
