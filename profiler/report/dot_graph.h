/// The task graphs of a trace in DOT, the language of Graphviz.
#pragma once

#include <string>

#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// The graph of that name, or every graph that has tasks if `name` is empty. A node is a task,
/// filled in the colour of its policy lane; an arrow is an explicit edge, styled by its rule, or
/// the order of a lane; sub-graphs are clusters. The same text for the same trace, valid UTF-8.
/// Errors: no such graph, or none with tasks.
Result<std::string> dot_graph(const Trace& trace, const std::string& name = {});

/// How many tasks dot_graph draws.
std::size_t drawn_tasks(const Trace& trace, const std::string& name = {});

}  // namespace quintet
