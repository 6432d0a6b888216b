/// From the runtime's ExecutionPlan to the static half of a Trace, which knows no StreamKind.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "profiler/trace/trace.h"
#include "runtime/model/execution_plan.h"

namespace quintet {

/// Lanes, regions, tensors, tasks, graphs, commands, and of the provenance what the plan itself
/// knows: policy, lowering, step_mode, gradients. Trace::tasks is in the order of TaskId.
/// Trace::graphs holds the captured graphs and the article's sub-graphs that have no work; host
/// sub-graphs are no graphs there, their tasks name them.
Trace trace_of_plan(const ExecutionPlan& plan);

/// Where each captured graph lies in Trace::graphs.
std::map<GraphKey, std::uint32_t> graph_indices(const ExecutionPlan& plan);

/// "train A train>train_tail": phase, slot, shape, and the shape it prefetches if any.
std::string variant_text(const ExecutionPlan& plan, const StepVariant& variant);

}  // namespace quintet
