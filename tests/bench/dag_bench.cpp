// From a recording's graph to positions: folded and whole, by lanes and by Graphviz.
#include <benchmark/benchmark.h>
#include <string>

#include "profiler/trace/trace_reader.h"
#include "viewer/model/dag/dag_graph.h"
#include "viewer/model/dag/dag_layout.h"

namespace quintet::viewer {
namespace {

const Trace& resnet50() {
  static const Trace kTrace =
      *read_trace(QUINTET_SOURCE_DIR
                  "/scenarios/recorded/resnet50-b32-renaissance-dataflow-whole_step.qtrace.gz");
  return kTrace;
}

std::set<std::string> unfolded(bool whole) {
  if (!whole) return {};
  const std::vector<std::string> groups = groups_of(resnet50(), *largest_graph(resnet50()));
  return {groups.begin(), groups.end()};
}

void lay_out(benchmark::State& state, DagEngine engine, bool whole) {
  const std::size_t graph = *largest_graph(resnet50());
  std::size_t nodes = 0;
  for (auto _ : state) {
    const DagGraph dag = dag_graph(resnet50(), graph, unfolded(whole), {});
    nodes = dag.nodes.size();
    benchmark::DoNotOptimize(dag_layout(dag, engine, [] { return false; }));
  }
  state.counters["nodes"] = static_cast<double>(nodes);
}
BENCHMARK_CAPTURE(lay_out, lanes_folded, DagEngine::lanes, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lay_out, lanes_whole, DagEngine::lanes, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lay_out, graphviz_folded, DagEngine::graphviz, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(lay_out, graphviz_whole, DagEngine::graphviz, true)
    ->Unit(benchmark::kMillisecond);

void five_thousand_tasks(benchmark::State& state) {
  DagGraph dag;
  for (std::uint32_t node = 0; node < 5000; ++node) {
    DagNode row;
    row.label = "task " + std::to_string(node);
    row.tasks = {node};
    row.lane = LaneId(node % 5);
    dag.nodes.push_back(std::move(row));
    for (const std::uint32_t back : {3U, 7U, 11U}) {
      if (node >= back) {
        dag.edges.push_back({node - back, node, DagEdgeKind::conflict, 1, false, {}});
      }
    }
  }
  for (auto _ : state)
    benchmark::DoNotOptimize(lane_layout(dag));
}
BENCHMARK(five_thousand_tasks)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace quintet::viewer
