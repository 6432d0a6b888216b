/// Several step programs in a row as a SimGraph: host threads, streams, events, launches.
#pragma once

#include <vector>

#include "profiler/whatif/graph_nodes.h"
#include "runtime/model/step_program.h"

namespace quintet {

/// Program k is that of step k. Events of steps before the first pass at once, as they do for an
/// executor.
StepModel program_model(const ExecutionPlan& plan, const std::vector<const StepProgram*>& programs,
                        NodeMaker& maker);

}  // namespace quintet
