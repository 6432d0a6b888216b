#include "profiler/report/graphviz_drawing.h"
#include "profiler/report/svg_graph.h"

namespace quintet {

bool has_graphviz() {
  return false;
}

Result<std::string> graphviz_drawing(const std::string& /*dot*/, const char* /*format*/) {
  return fail("this build draws no graphs: it has no Graphviz",
              "export dot and draw it elsewhere, or build with QUINTET_ENABLE_GRAPHVIZ");
}

Result<std::string> svg_graph(const Trace& /*trace*/, const std::string& /*name*/) {
  return graphviz_drawing({}, "svg");
}

}  // namespace quintet
