#include <cstdlib>
#include <fmt/format.h>
#include <graphviz/gvc.h>
#include <memory>
#include <mutex>

#include "profiler/report/dot_graph.h"
#include "profiler/report/graphviz_drawing.h"
#include "profiler/report/svg_graph.h"

namespace quintet {

namespace {

struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

struct FreeDrawing {
  void operator()(char* drawing) const { gvFreeRenderData(drawing); }
};

tl::unexpected<Error> graphviz_failed(std::string_view what) {
  const std::unique_ptr<char, decltype(&std::free)> said(aglasterr(), &std::free);
  return fail(fmt::format("Graphviz cannot {}: {}", what, said ? said.get() : "no reason given"),
              "export dot and draw it elsewhere");
}

}  // namespace

bool has_graphviz() {
  return true;
}

Result<std::string> graphviz_drawing(const std::string& dot, const char* format) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  agseterr(AGMAX);  // it would write to standard error
  // One context for all drawings, kept until the process ends: its text layout remembers a font name
  // of the last drawing, which would be gone with a context of that drawing's own.
  static GVC_t* const context = gvContext();
  const std::unique_ptr<Agraph_t, CloseGraph> graph(agmemread(dot.c_str()));
  if (!graph) return graphviz_failed("read the graph");
  if (gvLayout(context, graph.get(), "dot") != 0) return graphviz_failed("lay out the graph");
  char* drawing = nullptr;
  unsigned size = 0;
  const int failed = gvRenderData(context, graph.get(), format, &drawing, &size);
  const std::unique_ptr<char, FreeDrawing> owner(drawing);
  gvFreeLayout(context, graph.get());
  if (failed != 0 || drawing == nullptr) return graphviz_failed("draw the graph");
  return std::string(drawing, size);
}

Result<std::string> svg_graph(const Trace& trace, const std::string& name) {
  const Result<std::string> dot = dot_graph(trace, name);
  if (!dot) return tl::unexpected(dot.error());
  const std::size_t tasks = drawn_tasks(trace, name);
  if (tasks > kMostDrawnTasks) {
    return fail(fmt::format("has {} tasks to draw, more than {}", tasks, kMostDrawnTasks),
                "choose one graph with --graph, or export dot and draw it elsewhere");
  }
  return graphviz_drawing(*dot, "svg");
}

}  // namespace quintet

#ifdef __SANITIZE_ADDRESS__
/// What Graphviz and its font library keep until the process ends is no leak of ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libgvc\nleak:libcgraph\nleak:libfontconfig\nleak:libpango\n";
}
/// Nor is it worth a word on standard error, where a command's users look for trouble.
extern "C" const char* __lsan_default_options();
extern "C" const char* __lsan_default_options() {
  return "print_suppressions=0";
}
#endif
