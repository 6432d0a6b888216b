// Graphs folded and laid out: nothing is lost, nothing lies over anything else, order goes to the right.
#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "profiler/report/graphviz_drawing.h"
#include "profiler/trace/trace_reader.h"
#include "viewer/model/dag/dag_graph.h"
#include "viewer/model/dag/dag_layout.h"

namespace quintet::viewer::test {
namespace {

const Trace& recorded(const std::string& name) {
  static std::map<std::string, Trace> traces;
  const auto found = traces.find(name);
  if (found != traces.end()) return found->second;
  auto trace = read_trace(QUINTET_SOURCE_DIR "/scenarios/recorded/" + name + ".qtrace.gz");
  EXPECT_TRUE(trace.has_value()) << name;
  return traces.emplace(name, std::move(*trace)).first->second;
}

const Trace& resnet50() {
  return recorded("resnet50-b32-renaissance-dataflow-whole_step");
}

std::set<std::string> all_groups(const Trace& trace, std::size_t graph) {
  const std::vector<std::string> groups = groups_of(trace, graph);
  return {groups.begin(), groups.end()};
}

bool never() {
  return false;
}

bool overlap(const DagBox& a, const DagBox& b) {
  constexpr float kTouch = 0.5F;
  return std::abs(a.x - b.x) * 2 + kTouch < a.width + b.width &&
         std::abs(a.y - b.y) * 2 + kTouch < a.height + b.height;
}

void expect_apart(const DagGraph& graph, const DagLayout& layout) {
  ASSERT_EQ(layout.boxes.size(), graph.nodes.size());
  ASSERT_EQ(layout.paths.size(), graph.edges.size());
  for (std::size_t a = 0; a < layout.boxes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      ASSERT_FALSE(overlap(layout.boxes[a], layout.boxes[b]))
          << graph.nodes[a].label << " lies on " << graph.nodes[b].label;
    }
    EXPECT_LE(layout.boxes[a].x + layout.boxes[a].width / 2, layout.width + 1);
    EXPECT_LE(layout.boxes[a].y + layout.boxes[a].height / 2, layout.height + 1);
  }
}

TEST(DagGraph, HoldsEveryTaskOnceFoldedOrNot) {
  const Trace& trace = resnet50();
  const std::size_t graph = *largest_graph(trace);
  for (const auto& unfolded : {std::set<std::string>{}, all_groups(trace, graph)}) {
    const DagGraph dag = dag_graph(trace, graph, unfolded, {});
    std::set<std::uint32_t> tasks;
    for (const DagNode& node : dag.nodes)
      tasks.insert(node.tasks.begin(), node.tasks.end());
    EXPECT_EQ(tasks.size(), trace.graphs[graph].tasks.size());
    EXPECT_EQ(dag.tasks, tasks.size());
    for (const DagEdge& edge : dag.edges)
      EXPECT_NE(edge.from, edge.to);
    for (const std::uint32_t task : tasks)
      EXPECT_TRUE(dag.node_of(task).has_value());
  }
  const DagGraph folded = dag_graph(trace, graph, {}, {});
  const DagGraph open = dag_graph(trace, graph, all_groups(trace, graph), {});
  EXPECT_LT(folded.nodes.size() * 2, open.nodes.size());
  EXPECT_EQ(open.nodes.size(), open.tasks);
  std::size_t events = 0;
  for (const DagEdge& edge : open.edges)
    events += edge.kind == DagEdgeKind::lane_order ? 0 : edge.count;
  EXPECT_EQ(events, trace.graphs[graph].edges.size());
}

TEST(DagGraph, MarksEdgesAndRacesOfItsProof) {
  const Trace& trace = resnet50();
  const std::size_t graph = *largest_graph(trace);
  const TraceEdge& edge = trace.graphs[graph].edges.front();
  DagMarks marks;
  marks.surplus.emplace(trace.tasks[edge.from].name, trace.tasks[edge.to].name);
  marks.races.push_back({{trace.tasks[edge.to].name, trace.tasks[edge.from].name}, "both write"});
  marks.races.push_back({{"none", "none"}, "elsewhere"});
  const DagGraph dag = dag_graph(trace, graph, all_groups(trace, graph), marks);
  std::size_t surplus = 0;
  for (const DagEdge& each : dag.edges)
    surplus += each.surplus ? 1 : 0;
  EXPECT_EQ(surplus, 1U);
  ASSERT_EQ(dag.races.size(), 1U);
  EXPECT_EQ(dag.races.front().text, "both write");
}

TEST(DagLayout, ByLanesGoesToTheRightAndNothingLiesOnAnything) {
  for (const char* name : {"resnet50-b32-renaissance-dataflow-whole_step",
                           "vgg16bn-b128-renaissance-event_sync", "mlp-b128-serial-whole_step"}) {
    const Trace& trace = recorded(name);
    for (std::size_t graph = 0; graph < trace.graphs.size(); ++graph) {
      if (trace.graphs[graph].tasks.empty()) continue;
      for (const auto& unfolded : {std::set<std::string>{}, all_groups(trace, graph)}) {
        const DagGraph dag = dag_graph(trace, graph, unfolded, {});
        const DagLayout layout = lane_layout(dag);
        expect_apart(dag, layout);
        for (const DagEdge& edge : dag.edges) {
          if (edge.from < edge.to) {
            EXPECT_LT(layout.boxes[edge.from].x, layout.boxes[edge.to].x);
          }
        }
      }
    }
  }
}

TEST(DagLayout, ByGraphvizHoldsEveryNodeOrSaysWhyNot) {
  const Trace& trace = resnet50();
  const DagGraph dag = dag_graph(trace, *largest_graph(trace), {}, {});
  const DagLayout layout = dag_layout(dag, DagEngine::graphviz, never);
  expect_apart(dag, layout);
  if (!has_graphviz()) {
    EXPECT_EQ(layout.engine, DagEngine::lanes);
    EXPECT_THAT(layout.why_not_graphviz, testing::HasSubstr("no Graphviz"));
    return;
  }
  EXPECT_EQ(layout.engine, DagEngine::graphviz);
  for (const std::vector<DagPoint>& path : layout.paths)
    EXPECT_EQ(path.size() % 3, 1U) << "cubic splines";
}

TEST(DagLayout, OfTooManyNodesIsByLanesAndACancelledOneIsEmpty) {
  DagGraph dag;
  for (std::uint32_t node = 0; node < 5000; ++node) {
    DagNode row;
    row.label = "task " + std::to_string(node);
    row.tasks = {node};
    row.lane = LaneId(node % 5);
    dag.nodes.push_back(std::move(row));
    if (node >= 7) dag.edges.push_back({node - 7, node, DagEdgeKind::conflict, 1, false, {}});
  }
  const DagLayout layout = dag_layout(dag, DagEngine::graphviz, never);
  EXPECT_EQ(layout.engine, DagEngine::lanes);
  EXPECT_FALSE(layout.why_not_graphviz.empty());
  EXPECT_EQ(layout.boxes.size(), 5000U);
  EXPECT_TRUE(dag_layout(dag, DagEngine::lanes, [] { return true; }).boxes.empty());
}

TEST(DagLayout, FindsTheNodeUnderAPoint) {
  const Trace& trace = resnet50();
  const DagGraph dag = dag_graph(trace, *largest_graph(trace), {}, {});
  const DagLayout layout = lane_layout(dag);
  for (std::uint32_t node = 0; node < layout.boxes.size(); ++node)
    EXPECT_EQ(node_at(layout, {layout.boxes[node].x, layout.boxes[node].y}), node);
  EXPECT_FALSE(node_at(layout, {-50, -50}).has_value());
}

}  // namespace
}  // namespace quintet::viewer::test
