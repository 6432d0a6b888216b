/// Graphviz's library behind one call: DOT in, a drawing or positions out. Two implementations, one of
/// which a build has: svg_graph_graphviz.cpp, svg_graph_none.cpp.
#pragma once

#include <string>

#include "runtime/model/result.h"

namespace quintet {

/// Whether this build has it.
bool has_graphviz();

/// `dot` laid out by Graphviz's dot and written in one of its formats: "svg"; "plain" for positions
/// in inches. Threads: any; calls wait for each other, for Graphviz has globals. Errors: text that
/// is no DOT; a build without Graphviz.
Result<std::string> graphviz_drawing(const std::string& dot, const char* format);

}  // namespace quintet
