/// Which edges of a task graph give concurrency away: taking one out (alone) would leave every
/// conflicting pair of the graph as ordered as before, though it does order something.
#pragma once

#include <vector>

#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/task_conflicts.h"

namespace quintet {

/// The surplus edges of `graph`, in the order of its edges. `conflicts` by TaskId. An edge that
/// repeats what stream order and the other edges order already is not surplus: it costs a wait, not
/// concurrency. Edges against issue order: none is reported.
std::vector<SurplusEdge> find_surplus_edges(const ExecutionPlan& plan, const TaskGraph& graph,
                                            const TaskConflicts& conflicts);

}  // namespace quintet
