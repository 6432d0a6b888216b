#include "runtime/policy/hazard_proof.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <tuple>

#include "runtime/policy/sync_planner.h"
#include "tests/support/plan_sketch.h"
#include "tests/support/random_task_graph.h"
#include "tests/support/sanitizers.h"

namespace quintet::test {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

constexpr GraphId kDeep = GraphId::DEEP_FWD_BWD;

ProofReport proved(const ExecutionPlan& plan, const StepSequence& sequence) {
  const Result<ProofReport> report = prove(plan, sequence);
  EXPECT_TRUE(report.has_value()) << to_string(report.error());
  return report ? *report : ProofReport{};
}

void plan_edges(ExecutionPlan& plan, SyncRule rule) {
  TaskGraph& graph = plan.graphs.at(kRandomGraph);
  const auto edges = plan_sync(
      {.tasks = plan.tasks, .accesses = plan.accesses, .placed = graph.tasks, .rule = rule});
  ASSERT_TRUE(edges.has_value()) << to_string(edges.error());
  graph.edges = *edges;
}

TEST(PlantedHazard, WorkspaceOfOneStreamInTwoGraphsAtOnceIsNamed) {
  PlanSketch sketch;
  sketch.task("conv1/CONV_FP32_BWD_FIRST_LAYER/dW", GraphId::FIRST_LAYER_BWD_A, kComp,
              {sketch.scratch(kComp, 4096)});
  sketch.task("deep/RANGE_CHECK_NAN/update", GraphId::NAN_CHECK_AND_GRAD_SCALING, kComp,
              {sketch.scratch(kComp, 1024)});
  sketch.program(train_step(), {launch(GraphId::FIRST_LAYER_BWD_A, kComp),
                                launch(GraphId::NAN_CHECK_AND_GRAD_SCALING, kUpdate)});
  const ProofReport report = proved(sketch.plan, {train_step()});
  ASSERT_THAT(report.races, SizeIs(1));
  EXPECT_FALSE(report.races[0].reversed);
  EXPECT_EQ(report.races[0].text,
            "step 0: conv1/CONV_FP32_BWD_FIRST_LAYER/dW uses as scratch WORKSPACE/COMP_1[0, 1024) "
            "that step 0: deep/RANGE_CHECK_NAN/update uses as scratch, and nothing orders them");
  EXPECT_EQ(
      report.races[0].cure,
      "let UPDATE wait, before launch NAN_CHECK_AND_GRAD_SCALING of step 0, for an event that "
      "is recorded on COMP_1 after launch FIRST_LAYER_BWD_A of step 0");
}

TEST(PlantedHazard, WorkspaceOfOneStreamInAnyOrderIsFine) {
  PlanSketch sketch;
  sketch.task("a", GraphId::FIRST_LAYER_BWD_A, kComp, {sketch.scratch(kComp, 64)});
  sketch.task("b", GraphId::ZERO_GRAD, kComp, {sketch.scratch(kComp, 64)});
  sketch.program(train_step(),
                 {launch(GraphId::ZERO_GRAD, kComp), launch(GraphId::FIRST_LAYER_BWD_A, kComp)});
  const ProofReport report = proved(sketch.plan, {train_step(), train_step()});
  EXPECT_TRUE(report.race_free());
  EXPECT_EQ(report.conflicting_pairs, 6U);  // of four runs, all on one workspace
  EXPECT_EQ(report.ordered_pairs, 6U);
  EXPECT_EQ(report.task_runs, 4U);
}

/// A/B input: LOADER fills a pinned batch, TRANS copies it, COMP_1 reads the copy.
struct DoubleBuffer : testing::Test {
  DoubleBuffer() {
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      const std::string name(name_of(slot));
      const auto pinned =
          slot == BufferSlot::A ? RegionKind::HOST_BATCH_A : RegionKind::HOST_BATCH_B;
      const auto batch = slot == BufferSlot::A ? RegionKind::BATCH_A : RegionKind::BATCH_B;
      sketch.task("fill" + name, for_slot(GraphId::HOST_FILL_A, slot), kTrans,
                  {sketch.writes(pinned, 0, 256)});
      sketch.task("copy" + name, for_slot(GraphId::TRANSFER_A, slot), kTrans,
                  {sketch.reads(pinned, 0, 256), sketch.writes(batch, 0, 256)});
      sketch.task("forward" + name, for_slot(GraphId::FIRST_LAYER_FWD_A, slot), kComp,
                  {sketch.reads(batch, 0, 256), sketch.writes(RegionKind::FEATURES, 0, 64)});
    }
  }
  /// Each step fills and copies its own batch, then reads it.
  void add_programs(bool loader_waits_for_copy, bool copy_waits_for_reader,
                    bool main_waits = true) {
    for (const BufferSlot slot : {BufferSlot::A, BufferSlot::B}) {
      std::vector<Command> commands;
      if (loader_waits_for_copy) {
        commands.push_back(host_wait(HostActor::LOADER, StepEvent::batch_copied, -2));
      }
      commands.push_back(host_task(HostActor::LOADER, for_slot(GraphId::HOST_FILL_A, slot)));
      commands.push_back(host_record(HostActor::LOADER, StepEvent::batch_readable));
      if (main_waits) commands.push_back(host_wait(HostActor::MAIN, StepEvent::batch_readable));
      if (copy_waits_for_reader) commands.push_back(wait(kTrans, StepEvent::batch_released, -2));
      commands.push_back(launch(for_slot(GraphId::TRANSFER_A, slot), kTrans));
      commands.push_back(record(StepEvent::batch_copied, kTrans));
      commands.push_back(wait(kComp, StepEvent::batch_copied));
      commands.push_back(launch(for_slot(GraphId::FIRST_LAYER_FWD_A, slot), kComp));
      commands.push_back(record(StepEvent::batch_released, kComp));
      sketch.program(train_step(slot), std::move(commands));
    }
  }
  ProofReport proved_over(std::size_t steps) const {
    StepSequence sequence;
    for (std::size_t step = 0; step < steps; ++step)
      sequence.push_back(train_step(step % 2 == 0 ? BufferSlot::A : BufferSlot::B));
    return proved(sketch.plan, sequence);
  }
  PlanSketch sketch;
};

TEST_F(DoubleBuffer, IsRaceFreeWithAllItsWaits) {
  add_programs(true, true);
  EXPECT_THAT(proved_over(6).races, IsEmpty());
}

TEST_F(DoubleBuffer, IsRaceWhereADeviceBatchIsOverwrittenTooEarly) {
  add_programs(true, false);
  const ProofReport report = proved_over(6);
  ASSERT_THAT(report.races, SizeIs(4));  // both slots, two and four steps apart
  EXPECT_EQ(report.races[0].text,
            "step 0: forwardA reads BATCH_A[0, 256) that step 2: copyA writes, and nothing orders "
            "them");
  EXPECT_EQ(report.races[0].cure,
            "let TRANS wait, before launch TRANSFER_A of step 2, for an event that is recorded on "
            "COMP_1 after launch FIRST_LAYER_FWD_A of step 0");
}

TEST_F(DoubleBuffer, IsRaceWhereAPinnedBatchIsOverwrittenWhileTransStillReadsIt) {
  add_programs(false, true);
  const ProofReport report = proved_over(4);
  ASSERT_THAT(report.races, SizeIs(2));  // both slots
  EXPECT_EQ(
      report.races[0].text,
      "step 0: copyA reads HOST_BATCH_A[0, 256) that step 2: fillA writes, and nothing orders "
      "them");
  EXPECT_EQ(report.races[0].cure,
            "let HOST_LOADER wait, before HOST_FILL_A for step 2, for an event that is recorded on "
            "TRANS after launch TRANSFER_A of step 0");
}

TEST_F(DoubleBuffer, IsRaceWhereTheCopyDoesNotWaitForTheLoader) {
  add_programs(true, true, false);
  const ProofReport report = proved_over(1);
  ASSERT_THAT(report.races, SizeIs(1));
  EXPECT_EQ(report.races[0].cure,
            "let HOST_MAIN wait, before launch TRANSFER_A of step 0, for an event that is recorded "
            "by HOST_LOADER after HOST_FILL_A for step 0");
}

TEST(PlantedHazard, PinnedScalarWrittenByMainWhileTransStillReadsItIsNamed) {
  PlanSketch sketch;
  sketch.task("write", GraphId::HOST_LR_A, kTrans, {sketch.writes(RegionKind::HOST_SCALARS, 0, 4)});
  sketch.task(
      "copy", GraphId::LR_TRANSFER_A, kTrans,
      {sketch.reads(RegionKind::HOST_SCALARS, 0, 4), sketch.writes(RegionKind::SCALARS, 0, 4)});
  const std::vector<Command> commands = {host_task(HostActor::MAIN, GraphId::HOST_LR_A),
                                         launch(GraphId::LR_TRANSFER_A, kTrans)};
  sketch.program(train_step(), commands);
  const ProofReport report = proved(sketch.plan, {train_step(), train_step()});
  ASSERT_THAT(report.races, SizeIs(1));
  EXPECT_EQ(report.races[0].text,
            "step 0: copy reads HOST_SCALARS[0, 4) that step 1: write writes, and nothing orders "
            "them");
}

TEST(PlantedHazard, DxIssuedBeforeDwInPlaceRunsTheWrongWayRound) {
  PlanSketch sketch;
  const TaskId dw =
      sketch.task("conv/dW", kDeep, kComp, {sketch.reads(RegionKind::FEATURES, 0, 64)});
  const TaskId dx = sketch.part("conv/dX", TaskPart::dX, StreamKind::COMP_3,
                                {sketch.writes(RegionKind::FEATURES, 0, 64)});
  sketch.program(train_step(), {launch(kDeep, kComp)});
  const ProofReport unordered = proved(sketch.plan, {train_step()});
  ASSERT_THAT(unordered.races, SizeIs(1));
  EXPECT_FALSE(unordered.races[0].reversed);
  EXPECT_EQ(unordered.races[0].cure, "let conv/dX (COMP_3) wait for conv/dW (COMP_1)");

  auto& placed = sketch.graph(kDeep).tasks;
  std::swap(placed[0], placed[1]);
  sketch.edge(dx, dw, EdgeRule::manual);
  const ProofReport reversed = proved(sketch.plan, {train_step()});
  ASSERT_THAT(reversed.races, SizeIs(1));
  EXPECT_TRUE(reversed.races[0].reversed);
  EXPECT_EQ(reversed.races[0].earlier, dw);
  EXPECT_EQ(reversed.races[0].later, dx);
  EXPECT_EQ(
      reversed.races[0].text,
      "step 0: conv/dW reads FEATURES[0, 64) that step 0: conv/dX writes, and they run in the "
      "wrong order");
  EXPECT_THAT(reversed.surplus, IsEmpty());
}

TEST(PlantedHazard, WrongOrderOnOneStreamIsNamed) {
  PlanSketch sketch;
  sketch.task("first", GraphId::ZERO_GRAD, kUpdate,
              {sketch.writes(RegionKind::DEEP_GRADIENTS, 0, 8)});
  sketch.task("second", GraphId::OPTIMIZER, kUpdate,
              {sketch.reads(RegionKind::DEEP_GRADIENTS, 0, 8)});
  sketch.program(train_step(),
                 {launch(GraphId::OPTIMIZER, kUpdate), launch(GraphId::ZERO_GRAD, kUpdate)});
  const ProofReport report = proved(sketch.plan, {train_step()});
  ASSERT_THAT(report.races, SizeIs(1));
  EXPECT_TRUE(report.races[0].reversed);
  EXPECT_EQ(report.races[0].cure,
            "let launch ZERO_GRAD of step 0 come before launch OPTIMIZER of step 0 on UPDATE");
}

TEST(Proof, ReportsTheErrorsOfUnrolling) {
  PlanSketch sketch;
  sketch.program(train_step(),
                 {wait(kComp, StepEvent::deep_done), record(StepEvent::deep_done, kTrans)});
  const auto report = prove(sketch.plan, {train_step()});
  ASSERT_FALSE(report.has_value());
  EXPECT_THAT(report.error().message, testing::HasSubstr("wait COMP_1 for deep_done"));
}

TEST(Proof, CountsARacePerStepDistanceOnce) {
  PlanSketch sketch;
  sketch.task("copy", GraphId::TRANSFER_A, kTrans, {sketch.writes(RegionKind::BATCH_A, 0, 8)});
  sketch.task("read", GraphId::FIRST_LAYER_FWD_A, kComp, {sketch.reads(RegionKind::BATCH_A, 0, 8)});
  sketch.program(train_step(),
                 {launch(GraphId::TRANSFER_A, kTrans), launch(GraphId::FIRST_LAYER_FWD_A, kComp)});
  const ProofReport report = proved(sketch.plan, StepSequence(3, train_step()));
  // copy before read 0, 1, 2 steps apart; read before copy 1, 2 steps apart.
  EXPECT_THAT(report.races, SizeIs(5));
  EXPECT_EQ(report.conflicting_pairs, 12U);
  EXPECT_EQ(report.ordered_pairs, 3U);
}

TEST(SurplusEdges, AreThoseThatOrderNoConflict) {
  PlanSketch sketch;
  const TaskId a = sketch.task("a", kDeep, kComp, {sketch.writes(RegionKind::FEATURES, 0, 8)});
  const TaskId b = sketch.task("b", kDeep, StreamKind::COMP_2, {});
  const TaskId c =
      sketch.task("c", kDeep, StreamKind::COMP_3, {sketch.reads(RegionKind::FEATURES, 0, 8)});
  const TaskId d = sketch.task("d", kDeep, kUpdate, {});
  sketch.edge(a, b, EdgeRule::adjacent);
  sketch.edge(b, c, EdgeRule::adjacent);
  sketch.edge(c, d, EdgeRule::adjacent);
  sketch.program(train_step(), {launch(kDeep, kComp)});
  const ProofReport report = proved(sketch.plan, {train_step()});
  EXPECT_TRUE(report.race_free());
  EXPECT_EQ(report.edges, 3U);
  // a -> b -> c carries the conflict of a and c by way of b: neither edge can go alone.
  ASSERT_THAT(report.surplus, SizeIs(1));
  EXPECT_EQ(report.surplus[0].from, c);
  EXPECT_EQ(report.surplus[0].to, d);
  EXPECT_EQ(report.surplus[0].text,
            "DEEP_FWD_BWD: d (UPDATE) waits for c (COMP_3) by rule adjacent, and no pair that only "
            "this orders conflicts");
  // With a direct edge for it, both become surplus. What repeats is none: it orders nothing.
  sketch.edge(a, c);
  const ProofReport direct = proved(sketch.plan, {train_step()});
  EXPECT_THAT(direct.surplus, SizeIs(3));
}

/// All pairs, by the oracles: the races of one launch as (earlier, later, reversed).
using Races = std::set<std::tuple<TaskId, TaskId, bool>>;

Races oracle_races(const ExecutionPlan& plan, const TaskGraph& graph, std::size_t without) {
  const auto order = oracle_order(graph, without);
  std::vector<std::size_t> position(plan.tasks.size());
  for (std::size_t at = 0; at < graph.tasks.size(); ++at)
    position[graph.tasks[at].task.value()] = at;
  Races races;
  for (std::size_t a = 0; a < plan.tasks.size(); ++a) {
    for (std::size_t b = a + 1; b < plan.tasks.size(); ++b) {
      const OracleConflict found = oracle_conflict(plan.accesses[a], plan.accesses[b]);
      if (!found.exists || order[position[a]][position[b]]) continue;
      const bool reversed = order[position[b]][position[a]];
      if (reversed && found.either_order) continue;
      races.emplace(plan.tasks[a].id, plan.tasks[b].id, reversed);
    }
  }
  return races;
}

Races races_of(const ProofReport& report) {
  Races races;
  for (const Race& race : report.races)
    races.emplace(race.earlier, race.later, race.reversed);
  return races;
}

constexpr std::uint64_t kPropertyRuns = kAddressSanitizer ? 300 : 1200;

TEST(ProofOfGeneratedGraphs, FindsExactlyTheRacesOfTheOracle) {
  std::size_t racy = 0;
  for (std::uint64_t index = 0; index < kPropertyRuns; ++index) {
    SCOPED_TRACE(index);
    ExecutionPlan plan = random_plan(recipe(index));
    if (index % 2 == 1) plan_edges(plan, SyncRule::adjacent);  // even: no edge at all
    const TaskGraph& graph = plan.graphs.at(kRandomGraph);
    const ProofReport report = proved(plan, {kRandomStep});
    ASSERT_EQ(races_of(report), oracle_races(plan, graph, graph.edges.size()));
    ASSERT_EQ(report.races.size() + report.ordered_pairs, report.conflicting_pairs);
    if (!report.race_free()) ++racy;
  }
  EXPECT_GT(racy, kPropertyRuns / 4);
}

TEST(ProofOfGeneratedGraphs, FindsNoRaceInWhatTheExactRulesPlanOverThreeSteps) {
  for (const SyncRule rule : {SyncRule::dataflow, SyncRule::adjacent_conflicts}) {
    for (std::uint64_t index = 0; index < kPropertyRuns; ++index) {
      SCOPED_TRACE(index);
      ExecutionPlan plan = random_plan(recipe(index));
      plan_edges(plan, rule);
      const ProofReport report = proved(plan, StepSequence(3, kRandomStep));
      ASSERT_TRUE(report.race_free()) << report.races[0].text;
      if (rule == SyncRule::dataflow) {
        ASSERT_THAT(report.surplus, IsEmpty());
      }
    }
  }
}

TEST(ProofOfGeneratedGraphs, MissesNoDeletedEdgeThatIsNotSurplus) {
  std::size_t caught = 0;
  std::size_t surplus = 0;
  for (const SyncRule rule :
       {SyncRule::adjacent, SyncRule::adjacent_conflicts, SyncRule::dataflow}) {
    for (std::uint64_t index = 0; index < kPropertyRuns; ++index) {
      SCOPED_TRACE(index);
      ExecutionPlan plan = random_plan(recipe(index));
      plan_edges(plan, rule);
      const ProofReport whole = proved(plan, {kRandomStep});
      const TaskGraph planned = plan.graphs.at(kRandomGraph);
      for (std::size_t edge = 0; edge < planned.edges.size(); ++edge) {
        TaskGraph& mutant = plan.graphs.at(kRandomGraph);
        mutant = planned;
        mutant.edges.erase(mutant.edges.begin() + static_cast<std::ptrdiff_t>(edge));
        const Races races = races_of(proved(plan, {kRandomStep}));
        ASSERT_EQ(races, oracle_races(plan, planned, edge));
        const bool is_surplus =
            std::any_of(whole.surplus.begin(), whole.surplus.end(), [&](const SurplusEdge& s) {
              return s.from == planned.edges[edge].from && s.to == planned.edges[edge].to;
            });
        ASSERT_EQ(is_surplus, races == races_of(whole));
        ++(is_surplus ? surplus : caught);
      }
    }
  }
  EXPECT_GT(caught, kPropertyRuns * 25 / 6);
  EXPECT_GT(surplus, kPropertyRuns * 5 / 6);
}

TEST(ProofOfGeneratedGraphs, FindsConflictsTurnedRoundInIssueOrder) {
  std::size_t turned = 0;
  for (std::uint64_t index = 0; index < kPropertyRuns; ++index) {
    SCOPED_TRACE(index);
    ExecutionPlan plan = random_plan(recipe(index));
    TaskGraph& graph = plan.graphs.at(kRandomGraph);
    std::reverse(graph.tasks.begin(), graph.tasks.end());
    plan_edges(plan, SyncRule::adjacent);
    const ProofReport report = proved(plan, {kRandomStep});
    ASSERT_EQ(races_of(report), oracle_races(plan, graph, graph.edges.size()));
    turned += static_cast<std::size_t>(std::count_if(
        report.races.begin(), report.races.end(), [](const Race& race) { return race.reversed; }));
  }
  EXPECT_GT(turned, kPropertyRuns * 5 / 6);
}

TEST(ProofOfANetwork, HoldsForItsDataflowPlanOverManySteps) {
  ExecutionPlan plan = network_like_plan(400);
  plan_edges(plan, SyncRule::dataflow);
  const ProofReport report = proved(plan, StepSequence(4, kRandomStep));
  EXPECT_TRUE(report.race_free());
  EXPECT_EQ(report.task_runs, 1600U);
}

}  // namespace
}  // namespace quintet::test
