/// The task graphs of a trace as a drawing, laid out in process. Two implementations, one of which a
/// build has: svg_graph_graphviz.cpp with Graphviz's library, svg_graph_none.cpp without.
#pragma once

#include <string>

#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// More tasks than this are not laid out: the time grows faster than their number.
inline constexpr std::size_t kMostDrawnTasks = 4000;

/// dot_graph(trace, name) drawn as SVG. Errors: dot_graph's; too many tasks; a build without Graphviz.
Result<std::string> svg_graph(const Trace& trace, const std::string& name = {});

}  // namespace quintet
