/// What the tensors of a plan hold before the first step.
#pragma once

#include "runtime/exec/executor.h"
#include "runtime/network/training_spec.h"

namespace quintet {

/// Puts every tensor's starting values in place, where it has any but zero: weights and their
/// copies, statistics, the table of learning rates, the loss scale. The executor's memory must hold
/// zeros, but for FEATURES and workspaces: no task reads there what no task wrote.
void upload_starting_values(Executor& executor, const TrainingSpec& spec);

}  // namespace quintet
