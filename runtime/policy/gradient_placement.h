/// Which activation gradients take the bytes of their activation, and why the others do not.
#pragma once

#include <vector>

#include "runtime/model/memory_plan.h"

namespace quintet {

/// The verdict on every activation gradient that owns its storage, by TensorId. `tasks` in program
/// order. An activation gives its bytes to one gradient at most.
std::vector<GradientPlacement> judge_gradients(const TensorTable& tensors,
                                               const std::vector<Task>& tasks, GradientMode mode);

}  // namespace quintet
