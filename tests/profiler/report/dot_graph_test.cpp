#include "profiler/report/dot_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "profiler/report/svg_graph.h"
#include "tests/profiler/report/golden.h"
#include "tests/support/example_trace.h"
#include "tests/support/export_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t times_in_dot(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(DotGraph, IsWhatAPersonLastAccepted) {
  expect_golden("tiny.dot", dot_graph(tiny_trace()).value());
  expect_golden("export.dot", dot_graph(export_trace()).value());
}

TEST(DotGraph, HasEveryTaskAndEveryEdgeOnce) {
  const Trace trace = example_trace();
  const std::string dot = dot_graph(trace).value();
  std::size_t edges = 0;
  std::size_t lane_edges = 0;
  for (const TraceGraph& graph : trace.graphs) {
    edges += graph.edges.size();
    std::set<std::uint32_t> lanes;
    for (const std::uint32_t task : graph.tasks)
      lanes.insert(trace.tasks[task].policy_lane->value());
    lane_edges += graph.tasks.size() - lanes.size();
  }
  EXPECT_EQ(times_in_dot(dot, "class=\"conflict\""), edges);
  EXPECT_EQ(times_in_dot(dot, "class=\"lane_order\""), lane_edges);
  EXPECT_EQ(times_in_dot(dot, "[label=\""), drawn_tasks(trace) + 5);  // and five lanes
}

TEST(DotGraph, OneGraphCanBeChosenByName) {
  const std::string dot = dot_graph(example_trace(), "DEEP_FWD_BWD@train").value();
  EXPECT_THAT(dot, HasSubstr("conv2/CONV_FP32_BWD/dW"));
  EXPECT_THAT(dot, Not(HasSubstr("H2D_COPY")));
}

TEST(DotGraph, AGraphNobodyHasIsAnErrorThatListsThoseThereAreTheLikelyFirst) {
  const auto unknown = dot_graph(tiny_trace(), "DEEP");
  ASSERT_FALSE(unknown.has_value());
  EXPECT_THAT(unknown.error().message, HasSubstr("'DEEP'"));
  EXPECT_THAT(unknown.error().cure, HasSubstr("DEEP_FWD_BWD@train, TRANSFER_A@train, OPTIMIZER"));
  EXPECT_FALSE(dot_graph(export_trace(), "DEEP_COMM").has_value());
  EXPECT_THAT(dot_graph(Trace()).error().message, HasSubstr("no task graph"));
}

#ifdef QUINTET_HAS_GRAPHVIZ

TEST(SvgGraph, DrawsEveryTaskAndEveryEdge) {
  const Trace trace = example_trace();
  const auto svg = svg_graph(trace);
  ASSERT_TRUE(svg.has_value()) << to_string(svg.error());
  const std::string dot = dot_graph(trace).value();
  EXPECT_EQ(times_in_dot(*svg, "class=\"node"), drawn_tasks(trace) + 5);
  EXPECT_EQ(times_in_dot(*svg, "class=\"edge"), times_in_dot(dot, " -> "));
  EXPECT_THAT(*svg, HasSubstr("conv2/CONV_FP32_BWD/dW"));
}

TEST(SvgGraph, HostileNamesStayText) {
  const auto svg = svg_graph(export_trace());
  ASSERT_TRUE(svg.has_value()) << to_string(svg.error());
  EXPECT_THAT(*svg, HasSubstr("\\N &lt;b&gt;&amp;amp;&lt;/b&gt; \xEF\xBF\xBD/Y"));
  EXPECT_THAT(*svg, Not(HasSubstr("<b>")));
}

TEST(SvgGraph, TooManyTasksAreAnErrorAndNoLongWait) {
  Trace trace = tiny_trace();
  for (std::size_t task = 0; task < kMostDrawnTasks; ++task) {
    trace.graphs[1].tasks.push_back(static_cast<std::uint32_t>(trace.tasks.size()));
    trace.tasks.push_back(trace.tasks[1]);
  }
  const auto svg = svg_graph(trace);
  ASSERT_FALSE(svg.has_value());
  EXPECT_THAT(svg.error().message, HasSubstr("4005 tasks"));
  EXPECT_THAT(svg.error().cure, HasSubstr("--graph"));
}

#else

TEST(SvgGraph, SaysThatTheBuildDrawsNone) {
  EXPECT_THAT(svg_graph(tiny_trace()).error().message, HasSubstr("no Graphviz"));
}

#endif

}  // namespace
}  // namespace quintet
