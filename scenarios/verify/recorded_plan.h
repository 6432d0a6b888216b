/// The plan of a recording as it was recorded: its graphs, byte ranges and step programs back in the
/// form that the proof reads. Nothing is planned anew.
#pragma once

#include "profiler/trace/trace.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"

namespace quintet {

/// Everything that prove() looks at; task k is task k of the trace. What a recording does not hold
/// stays empty: operands and attributes of tasks, shapes of tensors, the ops of sub-graphs. Errors:
/// an import, or a program that is not ours; a name that this version does not know.
Result<ExecutionPlan> recorded_plan(const Trace& trace);

}  // namespace quintet
