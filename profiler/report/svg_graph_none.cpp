#include "profiler/report/svg_graph.h"

namespace quintet {

Result<std::string> svg_graph(const Trace& /*trace*/, const std::string& /*name*/) {
  return fail("this build draws no graphs: it has no Graphviz",
              "export dot and draw it elsewhere, or build with QUINTET_ENABLE_GRAPHVIZ");
}

}  // namespace quintet
