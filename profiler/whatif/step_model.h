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
    graph_begin,  ///< a launch begins on `stream`
    graph_end,    ///< and all its tasks have ended
    record,       ///< an event, on `stream`
    wait,         ///< `stream` waits for one
    launch_call,  ///< of a host thread
    host_call,    ///< a record or wait call
    host_wait,    ///< the host blocks
    host_task,    ///< `task` on a host thread
  };
  Kind kind = Kind::task;
  TaskId task;
  StreamKind stream = StreamKind::COMP_1;
  HostActor actor = HostActor::MAIN;
  std::int32_t step = 0;  ///< the step served, 0 = the first simulated one
  GraphKey graph;         ///< of the launch that it belongs to
};

struct StepModel {
  SimGraph graph;
  std::vector<SimLabel> labels;  ///< per node
  /// Tasks that no cost is known of, taken as long as their bytes need and kUnpricedTaskNs; sorted.
  std::vector<std::string> unpriced;
  std::int32_t steps = 1;  ///< simulated ones
};

/// Least length of a task that no cost is known of.
inline constexpr double kUnpricedTaskNs = 1000;

/// Full training steps in a row. Of `whole_step` one is simulated: its graph alone, one node a
/// task, in issue order (node k = task k of the graph, queue = stream): the form that a search
/// changes. Of the other modes several, with the host that issues them. Errors: the plan has no
/// training step; more than a tenth of the tasks of a step have no cost.
Result<StepModel> step_model_of(const ExecutionPlan& plan, const TaskCosts& costs,
                                const DeviceModel& device);

}  // namespace quintet
