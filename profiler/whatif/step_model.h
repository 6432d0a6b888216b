/// From an ExecutionPlan and the costs of its tasks to the SimGraph of its steps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profiler/whatif/device_model.h"
#include "profiler/whatif/sim_graph.h"
#include "profiler/whatif/task_costs.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"

namespace quintet {

/// What a node of the SimGraph stands for.
struct SimLabel {
  enum class Kind : std::uint8_t {
    task,         ///< `task` on `stream`
    graph_begin,  ///< of launch `launch` on the device
    graph_end,
    launch_call,  ///< the host's call
    host_call,    ///< record, wait, host task
    host_wait,
    event,
  };
  Kind kind = Kind::task;
  TaskId task;
  StreamKind stream = StreamKind::COMP_1;
  std::int32_t step = 0;  ///< the step served, 0 = the first simulated one
  GraphKey graph;         ///< of the launch it belongs to
};

struct StepModel {
  SimGraph graph;
  std::vector<SimLabel> labels;  ///< per node
  std::vector<std::string>
      unpriced;            ///< tasks without a cost of their own, taken as 0; names, sorted
  std::int32_t steps = 0;  ///< simulated ones
};

/// Full training steps one after the other, with the host that issues them. A plan of whole steps
/// takes one simulated step, the others as many as runs ahead. Errors: no training step in the plan;
/// more than a tenth of the tasks have no cost.
Result<StepModel> step_model_of(const ExecutionPlan& plan, const TaskCosts& costs,
                                const DeviceModel& device);

}  // namespace quintet
