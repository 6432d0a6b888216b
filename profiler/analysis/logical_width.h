/// How many tasks of a graph could ever run at once: the size of its largest antichain.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/task_relations.h"

namespace quintet {

/// The largest set of nodes none of which reaches another, in a DAG of `nodes` nodes whose edges
/// lead from lower to higher indices. By Dilworth: nodes minus a maximum matching on the closure.
std::size_t max_antichain(std::size_t nodes,
                          const std::vector<std::pair<std::size_t, std::size_t>>& edges);

/// The width of a captured graph: `data` = by its conflicting byte ranges alone, `as_run` = by its
/// edges and the order of issue on each lane.
std::size_t logical_width(const Trace& trace, const TraceGraph& graph, TaskRelations& relations,
                          PathOrder order);

}  // namespace quintet
