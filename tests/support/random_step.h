/// Steps over tensors for property tests of the memory plan: the tasks of a random task graph whose
/// bytes became tensors, cut into the sub-graphs of a training step.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "runtime/model/memory_plan.h"
#include "runtime/model/task_graph.h"
#include "tests/support/random_task_graph.h"

namespace quintet::test {

struct TensorStep {
  TensorTable tensors;
  std::vector<Task> tasks;         ///< in program order, all of kStepShape
  std::vector<PlacedTask> placed;  ///< in an issue order that respects all conflicts
};

inline constexpr ShapeId kStepShape{1};

/// Every 32 bytes of random_plan(recipe) are a tensor of a size of its own; some are the activation
/// gradient of another, some views. The tasks lie in FIRST_LAYER_FWD_A/B, DEEP_FWD_BWD,
/// FIRST_LAYER_BWD_A/B and METRICS_A/B, in this order; which is where varies.
TensorStep random_step(const GraphRecipe& recipe);

/// Which placed tasks a step of that slot runs; `graph`: only those of one sub-graph.
std::vector<PlacedTask> of_slot(const TensorStep& step, BufferSlot slot);
std::vector<PlacedTask> of_graph(const TensorStep& step, GraphId graph);

}  // namespace quintet::test
