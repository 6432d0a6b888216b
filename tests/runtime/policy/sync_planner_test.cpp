#include "runtime/policy/sync_planner.h"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "tests/support/plan_sketch.h"
#include "tests/support/random_task_graph.h"
#include "tests/support/sanitizers.h"

namespace quintet::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr GraphId kGraph = GraphId::DEEP_FWD_BWD;
constexpr std::uint64_t kPlannerRuns = kAddressSanitizer ? 300 : 1200;

Result<std::vector<Edge>> plan_edges(const ExecutionPlan& plan, const TaskGraph& graph,
                                     SyncRule rule, std::vector<ManualEdge> manual = {}) {
  return plan_sync({.tasks = plan.tasks,
                    .accesses = plan.accesses,
                    .placed = graph.tasks,
                    .rule = rule,
                    .manual = manual,
                    .policy_file = "p.toml",
                    .regions = plan.memory.regions()});
}

/// "from -> to (rule)" of each edge.
std::vector<std::string> edges_of(PlanSketch& sketch, SyncRule rule,
                                  std::vector<ManualEdge> manual = {}) {
  const auto edges = plan_edges(sketch.plan, sketch.graph(kGraph), rule, std::move(manual));
  if (!edges) return {to_string(edges.error())};
  std::vector<std::string> texts;
  for (const Edge& edge : *edges) {
    texts.push_back(sketch.plan.task(edge.from).name + " -> " + sketch.plan.task(edge.to).name +
                    " (" + std::string(name_of(edge.rule)) + ")");
  }
  return texts;
}

/// The tail of a backward pass as the article places it: loss on COMP_1, then an FC backward whose
/// dX takes the bytes of X, then a ReLU backward.
struct BackwardPass : testing::Test {
  void build(bool in_place, bool dx_first = false) {
    const std::uint64_t dx = in_place ? 0 : 192;
    sketch.task("loss", kGraph, StreamKind::COMP_1, {sketch.writes(RegionKind::FEATURES, 64, 64)});
    const std::vector<Access> dw_accesses = {sketch.reads(RegionKind::FEATURES, 0, 64),
                                             sketch.reads(RegionKind::FEATURES, 64, 64),
                                             sketch.writes(RegionKind::DEEP_GRADIENTS, 0, 64)};
    sketch.task("dW", kGraph, StreamKind::COMP_1, dw_accesses);
    sketch.part("dB", TaskPart::dB, StreamKind::COMP_2,
                {sketch.reads(RegionKind::FEATURES, 64, 64),
                 sketch.writes(RegionKind::DEEP_GRADIENTS, 64, 64)});
    sketch.part(
        "dX", TaskPart::dX, StreamKind::COMP_3,
        {sketch.reads(RegionKind::FEATURES, 64, 64), sketch.reads(RegionKind::DEEP_WEIGHTS, 0, 64),
         sketch.writes(RegionKind::FEATURES, dx, 64)});
    sketch.task("relu", kGraph, StreamKind::COMP_2, {sketch.updates(RegionKind::FEATURES, dx, 64)});
    if (dx_first) {
      auto& placed = sketch.graph(kGraph).tasks;
      std::rotate(placed.begin() + 1, placed.begin() + 3, placed.begin() + 4);
    }
  }
  PlanSketch sketch;
};

TEST_F(BackwardPass, WaitsExactlyForConflictsUnderDataflow) {
  build(false);
  EXPECT_THAT(
      edges_of(sketch, SyncRule::dataflow),
      ElementsAre("loss -> dB (conflict)", "loss -> dX (conflict)", "dX -> relu (conflict)"));
}

TEST_F(BackwardPass, MakesDxInPlaceWaitForDwUnderDataflow) {
  build(true);
  EXPECT_THAT(edges_of(sketch, SyncRule::dataflow),
              ElementsAre("loss -> dB (conflict)", "dW -> dX (conflict)", "dX -> relu (conflict)"));
}

TEST_F(BackwardPass, ForksPartsAtTheEntryUnderAdjacent) {
  build(false);
  EXPECT_THAT(
      edges_of(sketch, SyncRule::adjacent),
      ElementsAre("loss -> dB (op_internal)", "loss -> dX (adjacent)", "dX -> relu (adjacent)"));
}

TEST_F(BackwardPass, MakesDxInPlaceWaitForDwInsideTheOpUnderAdjacent) {
  build(true);
  EXPECT_THAT(
      edges_of(sketch, SyncRule::adjacent),
      ElementsAre("loss -> dB (op_internal)", "dW -> dX (op_internal)", "dX -> relu (adjacent)"));
}

TEST_F(BackwardPass, RefusesDxIssuedBeforeDwInPlaceNamingBoth) {
  build(true, true);
  for (const SyncRule rule : {SyncRule::dataflow, SyncRule::adjacent_conflicts}) {
    const auto edges = plan_edges(sketch.plan, sketch.graph(kGraph), rule);
    ASSERT_FALSE(edges.has_value());
    EXPECT_EQ(
        edges.error().message,
        "issue order puts dX before dW, but it writes FEATURES[0, 64) that dW reads and comes "
        "later in program order");
    EXPECT_EQ(edges.error().cure, "issue dW before dX");
  }
}

TEST_F(BackwardPass, AllowsDxIssuedBeforeDwWhereGradientsAreSeparate) {
  build(false, true);
  EXPECT_TRUE(plan_edges(sketch.plan, sketch.graph(kGraph), SyncRule::dataflow).has_value());
}

TEST_F(BackwardPass, SaysWhichBytesAnEdgeIsFor) {
  build(true);
  const auto edges = plan_edges(sketch.plan, sketch.graph(kGraph), SyncRule::dataflow);
  ASSERT_TRUE(edges.has_value());
  EXPECT_EQ(edges->at(1).reason, "FEATURES[0, 64): the first reads, the second writes");
}

TEST(AdjacentRule, EntersAfterWhatTheRepresentativeStreamHadReached) {
  PlanSketch sketch;
  sketch.task("a", kGraph, StreamKind::COMP_3, {});
  sketch.task("b", kGraph, StreamKind::COMP_2, {});
  sketch.task("c/dW", kGraph, StreamKind::COMP_1, {});
  sketch.part("c/dX", TaskPart::dX, StreamKind::COMP_3, {});
  // a -> c/dW would repeat a -> b -> c/dW.
  EXPECT_THAT(edges_of(sketch, SyncRule::adjacent),
              ElementsAre("a -> b (adjacent)", "b -> c/dW (op_internal)", "b -> c/dX (adjacent)"));
}

TEST(AdjacentRule, LetsTheNextOpWaitForTheRepresentativeOnly) {
  PlanSketch sketch;
  sketch.task("a/dW", kGraph, StreamKind::COMP_1,
              {sketch.writes(RegionKind::DEEP_GRADIENTS, 0, 8)});
  sketch.part("a/dX", TaskPart::dX, StreamKind::COMP_3, {});
  sketch.task("b", kGraph, StreamKind::UPDATE, {sketch.reads(RegionKind::DEEP_GRADIENTS, 0, 8)});
  EXPECT_THAT(edges_of(sketch, SyncRule::adjacent), ElementsAre("a/dX -> b (adjacent)"));
  EXPECT_THAT(edges_of(sketch, SyncRule::adjacent_conflicts),
              ElementsAre("a/dW -> b (conflict)", "a/dX -> b (adjacent)"));
}

TEST(AdjacentRule, OrdersSubGraphsOfAWholeStepByConflictsOnly) {
  PlanSketch sketch;
  sketch.task("zero", GraphId::ZERO_GRAD, StreamKind::UPDATE,
              {sketch.writes(RegionKind::DEEP_GRADIENTS, 0, 64)});
  sketch.task("forward", GraphId::FIRST_LAYER_FWD_A, StreamKind::COMP_1,
              {sketch.writes(RegionKind::FEATURES, 0, 64)});
  sketch.task("dW", GraphId::DEEP_FWD_BWD, StreamKind::COMP_2,
              {sketch.reads(RegionKind::FEATURES, 0, 64),
               sketch.updates(RegionKind::DEEP_GRADIENTS, 0, 64)});
  TaskGraph whole;
  whole.tasks = {{TaskId(0), StreamKind::UPDATE, {}},
                 {TaskId(1), StreamKind::COMP_1, {}},
                 {TaskId(2), StreamKind::COMP_2, {}}};
  const auto edges = plan_edges(sketch.plan, whole, SyncRule::adjacent);
  ASSERT_TRUE(edges.has_value());
  ASSERT_EQ(edges->size(), 2U);
  for (const Edge& edge : *edges) {
    EXPECT_EQ(edge.to, TaskId(2));
    EXPECT_EQ(edge.rule, EdgeRule::conflict);
  }
}

TEST(ManualRule, TakesTheListedEdgesAndDropsImpliedOnes) {
  PlanSketch sketch;
  sketch.task("a", kGraph, StreamKind::COMP_1, {});
  sketch.task("b", kGraph, StreamKind::COMP_2, {});
  sketch.task("c", kGraph, StreamKind::COMP_3, {});
  EXPECT_THAT(edges_of(sketch, SyncRule::manual, {{"a", "c", 7}, {"b", "c", 8}, {"a", "b", 9}}),
              ElementsAre("a -> b (manual)", "b -> c (manual)"));
}

TEST(ManualRule, LeavesEdgesOfOtherGraphsAlone) {
  PlanSketch sketch;
  sketch.task("zero", GraphId::ZERO_GRAD, StreamKind::UPDATE, {});
  sketch.task("a", kGraph, StreamKind::COMP_1, {});
  EXPECT_THAT(edges_of(sketch, SyncRule::manual, {{"zero", "a", 7}}), IsEmpty());
}

TEST(ManualRule, RefusesUnknownTasksWithTheLineAndTheNearestName) {
  PlanSketch sketch;
  sketch.task("conv1/CONV_FP32_FWD/Y", kGraph, StreamKind::COMP_1, {});
  EXPECT_THAT(
      edges_of(sketch, SyncRule::manual, {{"conv1/CONV_FP32_FWD/Y", "conv1/CONV_FP32_FWD/X", 7}}),
      ElementsAre("p.toml:7: edge names no task: conv1/CONV_FP32_FWD/X; did you mean "
                  "\"conv1/CONV_FP32_FWD/Y\"?"));
}

TEST(ManualRule, RefusesAnEdgeAgainstIssueOrder) {
  PlanSketch sketch;
  sketch.task("a", kGraph, StreamKind::COMP_1, {});
  sketch.task("b", kGraph, StreamKind::COMP_2, {});
  EXPECT_THAT(edges_of(sketch, SyncRule::manual, {{"b", "a", 3}}),
              ElementsAre(HasSubstr("p.toml:3: edge b -> a runs against issue order")));
}

TEST(DataflowRule, OrdersScratchUsersOfOneWorkspaceInTheOrderOfIssue) {
  PlanSketch sketch;
  sketch.task("a", kGraph, StreamKind::COMP_1, {sketch.scratch(StreamKind::COMP_1, 64)});
  sketch.task("b", kGraph, StreamKind::COMP_2, {sketch.scratch(StreamKind::COMP_1, 64)});
  auto& placed = sketch.graph(kGraph).tasks;
  std::swap(placed[0], placed[1]);
  EXPECT_THAT(edges_of(sketch, SyncRule::dataflow), ElementsAre("b -> a (conflict)"));
}

TEST(DataflowRule, SeesThatInterleavedStridesDoNotTouch) {
  PlanSketch sketch;
  Access even = sketch.writes(RegionKind::FEATURES, 0, 16);
  even.stride = 32;
  even.count = 4;
  Access odd = even;
  odd.offset = 16;
  sketch.task("even", kGraph, StreamKind::COMP_1, {even});
  sketch.task("odd", kGraph, StreamKind::COMP_2, {odd});
  EXPECT_THAT(edges_of(sketch, SyncRule::dataflow), IsEmpty());
  sketch.task("all", kGraph, StreamKind::COMP_3, {sketch.reads(RegionKind::FEATURES, 40, 32)});
  EXPECT_THAT(edges_of(sketch, SyncRule::dataflow),
              ElementsAre("even -> all (conflict)", "odd -> all (conflict)"));
}

/// Generated graphs: every property of a sync plan, against oracles that test all pairs.
struct GeneratedGraphs : testing::TestWithParam<SyncRule> {
  void plan_each(const std::function<void(const ExecutionPlan&, const TaskGraph&)>& check) const {
    for (std::uint64_t index = 0; index < kPlannerRuns; ++index) {
      const GraphRecipe how = recipe(index);
      SCOPED_TRACE(testing::Message() << name_of(how.family) << " seed " << how.seed << ", "
                                      << how.streams << " streams");
      ExecutionPlan plan = random_plan(how);
      TaskGraph& graph = plan.graphs.at(kRandomGraph);
      const auto edges = plan_edges(plan, graph, GetParam());
      ASSERT_TRUE(edges.has_value()) << to_string(edges.error());
      graph.edges = *edges;
      check(plan, graph);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
};

std::size_t position(const TaskGraph& graph, TaskId task) {
  std::size_t at = 0;
  while (graph.tasks[at].task != task)
    ++at;
  return at;
}

TEST_P(GeneratedGraphs, HaveEdgesAcrossStreamsInIssueOrderOnly) {
  plan_each([](const ExecutionPlan&, const TaskGraph& graph) {
    for (const Edge& edge : graph.edges) {
      const std::size_t from = position(graph, edge.from);
      const std::size_t to = position(graph, edge.to);
      ASSERT_LT(from, to);
      ASSERT_NE(graph.tasks[from].stream, graph.tasks[to].stream);
    }
  });
}

TEST_P(GeneratedGraphs, HaveNoEdgeThatTheOthersImply) {
  plan_each([](const ExecutionPlan&, const TaskGraph& graph) {
    for (std::size_t edge = 0; edge < graph.edges.size(); ++edge) {
      const auto order = oracle_order(graph, edge);
      ASSERT_FALSE(
          order[position(graph, graph.edges[edge].from)][position(graph, graph.edges[edge].to)]);
    }
  });
}

TEST_P(GeneratedGraphs, OrderEveryConflictAsProgramOrderDoes) {
  if (GetParam() == SyncRule::adjacent) return;  // the article's rule promises no such thing
  plan_each([](const ExecutionPlan& plan, const TaskGraph& graph) {
    const auto order = oracle_order(graph, graph.edges.size());
    for (std::size_t a = 0; a < plan.tasks.size(); ++a) {
      for (std::size_t b = a + 1; b < plan.tasks.size(); ++b) {
        const OracleConflict found = oracle_conflict(plan.accesses[a], plan.accesses[b]);
        if (!found.exists) continue;
        const std::size_t first = position(graph, plan.tasks[a].id);
        const std::size_t second = position(graph, plan.tasks[b].id);
        ASSERT_TRUE(order[first][second] || (found.either_order && order[second][first]));
      }
    }
  });
}

TEST_P(GeneratedGraphs, HaveConflictEdgesBetweenConflictingTasksOnly) {
  plan_each([](const ExecutionPlan& plan, const TaskGraph& graph) {
    for (const Edge& edge : graph.edges) {
      if (GetParam() == SyncRule::dataflow) {
        ASSERT_EQ(edge.rule, EdgeRule::conflict);
      }
      if (edge.rule == EdgeRule::conflict) {
        ASSERT_TRUE(
            oracle_conflict(plan.accesses[edge.from.value()], plan.accesses[edge.to.value()])
                .exists);
      }
    }
  });
}

TEST_P(GeneratedGraphs, AreRefusedWhereIssueOrderTurnsAConflictRound) {
  if (GetParam() == SyncRule::adjacent) return;  // the proof judges it
  std::size_t turned = 0;
  plan_each([&](const ExecutionPlan& plan, const TaskGraph& graph) {
    TaskGraph other = graph;
    for (std::size_t at = 0; at + 1 < other.tasks.size(); ++at) {
      const TaskId first = other.tasks[at].task;
      const TaskId second = other.tasks[at + 1].task;
      const OracleConflict found =
          oracle_conflict(plan.accesses[first.value()], plan.accesses[second.value()]);
      if (!found.exists || found.either_order) continue;
      std::swap(other.tasks[at], other.tasks[at + 1]);
      const auto edges = plan_edges(plan, other, GetParam());
      ASSERT_FALSE(edges.has_value());
      ASSERT_THAT(edges.error().message, HasSubstr(plan.task(first).name));
      ASSERT_THAT(edges.error().message, HasSubstr(plan.task(second).name));
      ++turned;
      break;
    }
  });
  EXPECT_GT(turned, kPlannerRuns * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(Rules, GeneratedGraphs,
                         testing::Values(SyncRule::adjacent, SyncRule::adjacent_conflicts,
                                         SyncRule::dataflow),
                         [](const auto& rule) {
                           std::string name(name_of(rule.param));
                           std::replace(name.begin(), name.end(), '+', '_');
                           return name;
                         });

}  // namespace
}  // namespace quintet::test
