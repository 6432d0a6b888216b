#include "runtime/policy/order_graph.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <numeric>
#include <string>

#include "runtime/policy/linear_extension.h"
#include "runtime/policy/reachability.h"
#include "tests/support/plan_sketch.h"
#include "tests/support/random_task_graph.h"

namespace quintet::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// An unrolled sequence that answers by label.
class Order {
 public:
  Order(const ExecutionPlan& plan, const StepSequence& sequence) : graph_(unroll(plan, sequence)) {
    if (!graph_) return;
    std::vector<Arc> arcs;
    for (const OrderEdge& edge : graph_->edges)
      arcs.push_back({edge.from, edge.to});
    closure_ = Reachability(graph_->nodes.size(), arcs);
  }
  bool before(const std::string& a, const std::string& b) const {
    return closure_.reaches(node(a), node(b));
  }
  bool ordered(const std::string& a, const std::string& b) const {
    return before(a, b) || before(b, a);
  }
  bool has(const std::string& label) const { return find(label) != graph_->nodes.end(); }
  std::string error() const { return graph_ ? std::string() : to_string(graph_.error()); }
  const OrderGraph& graph() const { return *graph_; }

 private:
  std::vector<OrderNode>::const_iterator find(const std::string& label) const {
    return std::find_if(graph_->nodes.begin(), graph_->nodes.end(),
                        [&](const OrderNode& n) { return n.label == label; });
  }
  std::uint32_t node(const std::string& label) const {
    const auto found = find(label);
    EXPECT_NE(found, graph_->nodes.end()) << label;
    return static_cast<std::uint32_t>(found - graph_->nodes.begin());
  }

  Result<OrderGraph> graph_;
  Reachability closure_{0};
};

/// A copy on TRANS, a trunk on COMP_1 that forks to COMP_2, an optimizer on UPDATE, a loader.
struct ThreeLaunches : testing::Test {
  ThreeLaunches() {
    sketch.task("fill", GraphId::HOST_FILL_A, kTrans, {});
    sketch.task("copy", GraphId::TRANSFER_A, kTrans, {});
    const TaskId first = sketch.task("forward", GraphId::DEEP_FWD_BWD, kComp, {});
    const TaskId second = sketch.task("pool", GraphId::DEEP_FWD_BWD, StreamKind::COMP_2, {});
    sketch.task("side", GraphId::DEEP_FWD_BWD, StreamKind::COMP_3, {});
    sketch.edge(first, second);
    sketch.task("optimizer", GraphId::OPTIMIZER, kUpdate, {});
    sketch.task("results", GraphId::HOST_RESULTS_A, kTrans, {});
  }
  Order unrolled(std::vector<Command> commands, std::size_t steps = 1) {
    sketch.program(train_step(), std::move(commands));
    return Order(sketch.plan, StepSequence(steps, train_step()));
  }
  PlanSketch sketch;
};

TEST_F(ThreeLaunches, DoNotOrderDifferentStreams) {
  const Order order =
      unrolled({launch(GraphId::TRANSFER_A, kTrans), launch(GraphId::DEEP_FWD_BWD, kComp)}, 2);
  EXPECT_FALSE(order.ordered("step 0: copy", "step 0: forward"));
  EXPECT_TRUE(order.before("step 0: copy", "step 1: copy"));
}

TEST_F(ThreeLaunches, OrderTheTasksOfALaunchByStreamEdgeAndEnds) {
  const Order order = unrolled({launch(GraphId::DEEP_FWD_BWD, kComp)}, 2);
  EXPECT_TRUE(order.before("step 0: forward", "step 0: pool"));
  EXPECT_FALSE(order.ordered("step 0: forward", "step 0: side"));
  EXPECT_TRUE(order.before("step 0: side", "step 1: forward"));
  EXPECT_TRUE(order.before("step 0: launch DEEP_FWD_BWD on COMP_1", "step 0: side"));
  EXPECT_TRUE(order.before("step 0: pool", "step 0: launch DEEP_FWD_BWD on COMP_1 ends"));
}

TEST_F(ThreeLaunches, DoNotOrderPolicyStreamsInsideAGraphWithLaunchesOnThatStream) {
  // "side" is on policy stream COMP_3, and so is the launch of the optimizer here: they may
  // overlap.
  const Order order = unrolled(
      {launch(GraphId::OPTIMIZER, StreamKind::COMP_3), launch(GraphId::DEEP_FWD_BWD, kComp)});
  EXPECT_FALSE(order.ordered("step 0: optimizer", "step 0: side"));
}

TEST_F(ThreeLaunches, AreOrderedByRecordAndWait) {
  const Order order =
      unrolled({launch(GraphId::TRANSFER_A, kTrans), record(StepEvent::batch_copied, kTrans),
                wait(kComp, StepEvent::batch_copied), launch(GraphId::DEEP_FWD_BWD, kComp),
                launch(GraphId::OPTIMIZER, kUpdate)});
  EXPECT_TRUE(order.before("step 0: copy", "step 0: forward"));
  EXPECT_TRUE(
      order.before("step 0: record batch_copied on TRANS", "step 0: wait COMP_1 for batch_copied"));
  EXPECT_FALSE(order.ordered("step 0: copy", "step 0: optimizer"));
}

TEST_F(ThreeLaunches, WaitForTheEventOfTheStepThatTheLagNames) {
  const Order order =
      unrolled({wait(kTrans, StepEvent::deep_done, -2), launch(GraphId::TRANSFER_A, kTrans),
                launch(GraphId::DEEP_FWD_BWD, kComp), record(StepEvent::deep_done, kComp)},
               4);
  EXPECT_TRUE(order.before("step 0: forward", "step 2: copy"));
  EXPECT_TRUE(order.before("step 1: forward", "step 3: copy"));
  EXPECT_FALSE(order.ordered("step 1: forward", "step 2: copy"));
}

TEST_F(ThreeLaunches, PassAWaitForStepsBeforeTheFirst) {
  const Order order =
      unrolled({wait(kTrans, StepEvent::step_done, -1), launch(GraphId::TRANSFER_A, kTrans)}, 2);
  EXPECT_EQ(order.error(), "");
}

TEST_F(ThreeLaunches, AreRefusedWhereAStreamWaitsBeforeTheRecord) {
  const Order order =
      unrolled({wait(kComp, StepEvent::batch_copied), launch(GraphId::TRANSFER_A, kTrans),
                record(StepEvent::batch_copied, kTrans)});
  EXPECT_EQ(order.error(),
            "step 0: wait COMP_1 for batch_copied comes before the event is recorded: step 0: "
            "record batch_copied on TRANS; issue the record before the wait");
}

TEST_F(ThreeLaunches, AreRefusedWhereMainWaitsForWhatItIssuesLater) {
  const Order order = unrolled({host_wait(HostActor::MAIN, StepEvent::batch_copied),
                                record(StepEvent::batch_copied, kTrans)});
  EXPECT_THAT(order.error(), HasSubstr("HOST_MAIN waits for batch_copied comes before"));
}

TEST_F(ThreeLaunches, ComeAfterWhatTheHostSynchronised) {
  const Order order =
      unrolled({launch(GraphId::TRANSFER_A, kTrans), launch(GraphId::OPTIMIZER, kUpdate),
                host_sync(kTrans), launch(GraphId::DEEP_FWD_BWD, kComp)},
               2);
  EXPECT_TRUE(order.before("step 0: copy", "step 0: forward"));
  EXPECT_FALSE(order.ordered("step 0: optimizer", "step 0: forward"));
  EXPECT_TRUE(order.before("step 0: copy", "step 1: optimizer"));
}

TEST_F(ThreeLaunches, ComeAfterTheHostTasksOfMainButNotOfTheLoader) {
  const Order order = unrolled({host_task(HostActor::LOADER, GraphId::HOST_FILL_A),
                                host_task(HostActor::MAIN, GraphId::HOST_RESULTS_A),
                                launch(GraphId::TRANSFER_A, kTrans)});
  EXPECT_TRUE(order.before("step 0: results", "step 0: copy"));
  EXPECT_FALSE(order.ordered("step 0: fill", "step 0: copy"));
}

TEST_F(ThreeLaunches, ComeAfterTheLoaderWhereMainWaitsForIt) {
  // MAIN's wait stands before the loader's record: between actors only the event counts.
  const Order order = unrolled(
      {host_wait(HostActor::MAIN, StepEvent::batch_readable), launch(GraphId::TRANSFER_A, kTrans),
       host_task(HostActor::LOADER, GraphId::HOST_FILL_A),
       host_record(HostActor::LOADER, StepEvent::batch_readable)},
      2);
  EXPECT_EQ(order.error(), "");
  EXPECT_TRUE(order.before("step 0: fill", "step 0: copy"));
  EXPECT_TRUE(order.before("step 0: fill", "step 1: fill"));
  EXPECT_FALSE(order.ordered("step 1: fill", "step 0: copy"));
}

TEST_F(ThreeLaunches, LetTheLoaderWaitForARecordOnAStream) {
  const Order order =
      unrolled({host_wait(HostActor::LOADER, StepEvent::batch_copied, -1),
                host_task(HostActor::LOADER, GraphId::HOST_FILL_A),
                launch(GraphId::TRANSFER_A, kTrans), record(StepEvent::batch_copied, kTrans)},
               2);
  EXPECT_TRUE(order.before("step 0: copy", "step 1: fill"));
}

TEST_F(ThreeLaunches, NameTheMembersOfADeadlock) {
  const Order order =
      unrolled({host_wait(HostActor::MAIN, StepEvent::batch_readable),
                launch(GraphId::TRANSFER_A, kTrans), record(StepEvent::batch_copied, kTrans),
                host_wait(HostActor::LOADER, StepEvent::batch_copied),
                host_record(HostActor::LOADER, StepEvent::batch_readable)});
  EXPECT_THAT(order.error(), HasSubstr("deadlock"));
  EXPECT_THAT(order.error(), HasSubstr("\"step 0: HOST_MAIN waits for batch_readable\""));
  EXPECT_THAT(order.error(), HasSubstr("\"step 0: HOST_LOADER waits for batch_copied\""));
}

TEST_F(ThreeLaunches, ServeTheStepThatTheCommandNames) {
  const Order order = unrolled({launch(GraphId::TRANSFER_A, kTrans, 1),
                                host_task(HostActor::MAIN, GraphId::HOST_RESULTS_A, -1)},
                               2);
  EXPECT_TRUE(order.has("step 1: copy"));
  EXPECT_TRUE(order.has("step 2: copy"));
  EXPECT_FALSE(order.has("step 0: copy"));
  EXPECT_FALSE(order.has("step -1: results"));
  EXPECT_TRUE(order.has("step 0: results"));
}

TEST_F(ThreeLaunches, ServeTheNextStepWithTheTransferInsideAWholeStep) {
  TaskGraph whole;
  whole.key = {GraphId::WHOLE_STEP_A};
  whole.tasks = {{TaskId(2), kComp, {}}, {TaskId(1), kTrans, {}}};
  sketch.plan.graphs[whole.key] = whole;
  const Order order = unrolled({launch(GraphId::WHOLE_STEP_A, kComp)});
  EXPECT_TRUE(order.has("step 0: forward"));
  EXPECT_TRUE(order.has("step 1: copy"));
}

TEST_F(ThreeLaunches, CountTheStepsFromThePrologueOn) {
  const StepVariant prologue{StepPhase::prologue, BufferSlot::A, kAnyShape, kAnyShape};
  const StepVariant epilogue{StepPhase::epilogue, BufferSlot::A, kAnyShape, kAnyShape};
  sketch.program(prologue, {launch(GraphId::TRANSFER_A, kTrans, 1),
                            record(StepEvent::batch_copied, kTrans, 1)});
  sketch.program(train_step(),
                 {wait(kComp, StepEvent::batch_copied), launch(GraphId::DEEP_FWD_BWD, kComp)});
  sketch.program(epilogue, {host_task(HostActor::MAIN, GraphId::HOST_RESULTS_A, -1)});
  const Order order(sketch.plan, {prologue, train_step(), epilogue});
  EXPECT_TRUE(order.before("step 0: copy", "step 0: forward"));
  EXPECT_TRUE(order.has("step -1: launch TRANSFER_A on TRANS"));
  EXPECT_TRUE(order.has("step 0: results"));
}

TEST_F(ThreeLaunches, AreRefusedWhereAGraphOrAProgramIsMissing) {
  EXPECT_EQ(unrolled({launch(GraphId::ZERO_GRAD, kUpdate)}).error(),
            "step 0: launch ZERO_GRAD on UPDATE: the plan holds no graph of that name; capture it, "
            "or leave the command out");
  EXPECT_THAT(Order(sketch.plan, {train_step(BufferSlot::B)}).error(),
              HasSubstr("the plan has no step program for train B"));
}

TEST_F(ThreeLaunches, AreRefusedWhereAnEdgeRunsAgainstIssueOrder) {
  sketch.edge(TaskId(4), TaskId(2));
  EXPECT_THAT(unrolled({launch(GraphId::DEEP_FWD_BWD, kComp)}).error(),
              HasSubstr("the edge side -> forward runs against issue order"));
}

TEST_F(ThreeLaunches, KeepTheNumbersOfALaunchWhenNodesAreRenumbered) {
  const Order order =
      unrolled({host_wait(HostActor::MAIN, StepEvent::batch_readable),
                launch(GraphId::TRANSFER_A, kTrans), launch(GraphId::DEEP_FWD_BWD, kComp),
                host_record(HostActor::LOADER, StepEvent::batch_readable)});
  ASSERT_EQ(order.graph().launches.size(), 2U);
  for (const OrderLaunch& launched : order.graph().launches) {
    EXPECT_THAT(order.graph().nodes[launched.begin].label,
                testing::EndsWith("on " + std::string(name_of(launched.stream))));
    EXPECT_THAT(order.graph().nodes[launched.end].label, testing::EndsWith("ends"));
  }
  for (const OrderEdge& edge : order.graph().edges)
    EXPECT_LT(edge.from, edge.to);
}

TEST(ProofSequence, RunsFullStepsTailEvaluationAndTrainingAgain) {
  PlanSketch sketch;
  sketch.plan.shapes = {{ShapeId(0), "any", 0, false},
                        {ShapeId(1), "train", 64, true},
                        {ShapeId(2), "train_tail", 32, true},
                        {ShapeId(3), "eval", 64, false}};
  const StepVariant prologue_a{StepPhase::prologue, BufferSlot::A, kAnyShape, ShapeId(1)};
  const StepVariant prologue_b{StepPhase::prologue, BufferSlot::B, kAnyShape, ShapeId(1)};
  const StepVariant epilogue_a{StepPhase::epilogue, BufferSlot::A, kAnyShape, kAnyShape};
  const StepVariant epilogue_b{StepPhase::epilogue, BufferSlot::B, kAnyShape, kAnyShape};
  sketch.program(prologue_b, {launch(GraphId::TRANSFER_B, kTrans, 1)});
  sketch.program(prologue_a, {launch(GraphId::TRANSFER_A, kTrans, 1)});
  // Six steps: the last is number 5 and in slot B.
  sketch.program(epilogue_a, {host_task(HostActor::MAIN, GraphId::HOST_RESULTS_B, -1)});
  sketch.program(epilogue_b, {host_task(HostActor::MAIN, GraphId::HOST_RESULTS_A, -1)});
  const ShapeId train(1);
  EXPECT_THAT(
      proof_sequence(sketch.plan),
      ElementsAre(prologue_a, StepVariant{StepPhase::train, BufferSlot::A, train, train},
                  StepVariant{StepPhase::train, BufferSlot::B, train, train},
                  StepVariant{StepPhase::train, BufferSlot::A, train, ShapeId(2)},
                  StepVariant{StepPhase::train, BufferSlot::B, ShapeId(2), ShapeId(3)},
                  StepVariant{StepPhase::evaluate, BufferSlot::A, ShapeId(3), train},
                  StepVariant{StepPhase::train, BufferSlot::B, train, kAnyShape}, epilogue_a));
}

TEST(ReachabilityTest, AgreesWithTheOracleOnGeneratedGraphs) {
  for (std::uint64_t index = 0; index < 200; ++index) {
    const ExecutionPlan plan = random_plan({.tasks = 70, .streams = 4, .seed = index});
    const TaskGraph& graph = plan.graphs.at(kRandomGraph);
    std::vector<Arc> arcs;
    std::array<std::optional<std::uint32_t>, kStreamCount> last;
    for (std::uint32_t at = 0; at < graph.tasks.size(); ++at) {
      auto& before = last[index_of(graph.tasks[at].stream)];
      if (before) arcs.push_back({*before, at});
      before = at;
    }
    const Reachability closure(graph.tasks.size(), arcs);
    const auto order = oracle_order(graph, 0);
    for (std::uint32_t from = 0; from < graph.tasks.size(); ++from) {
      for (std::uint32_t to = 0; to < graph.tasks.size(); ++to)
        ASSERT_EQ(closure.reaches(from, to), order[from][to]);
    }
  }
}

TEST(LinearExtension, RespectsEveryEdgeInEveryMode) {
  PlanSketch sketch;
  ExecutionPlan plan = random_plan({.tasks = 60, .streams = 5, .seed = 3});
  const auto order = unroll(plan, StepSequence(2, kRandomStep));
  ASSERT_TRUE(order.has_value());
  const auto check = [&](const std::vector<std::uint32_t>& extension) {
    ASSERT_EQ(extension.size(), order->nodes.size());
    std::vector<std::size_t> place(extension.size(), extension.size());
    for (std::size_t at = 0; at < extension.size(); ++at)
      place[extension[at]] = at;
    for (const OrderEdge& edge : order->edges)
      ASSERT_LT(place[edge.from], place[edge.to]);
  };
  check(linear_extension(*order, ExtensionMode::latest_first));
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    check(linear_extension(*order, ExtensionMode::random, seed));
  std::vector<std::uint32_t> issue(order->nodes.size());
  std::iota(issue.begin(), issue.end(), 0);
  EXPECT_EQ(linear_extension(*order, ExtensionMode::earliest_first), issue);
}

TEST(LinearExtension, IsTheSameForTheSameSeedOnly) {
  const ExecutionPlan plan = random_plan({.tasks = 40, .streams = 5, .seed = 1});
  const auto order = unroll(plan, {kRandomStep});
  ASSERT_TRUE(order.has_value());
  const auto first = linear_extension(*order, ExtensionMode::random, 1);
  EXPECT_EQ(first, linear_extension(*order, ExtensionMode::random, 1));
  EXPECT_NE(first, linear_extension(*order, ExtensionMode::random, 2));
}

TEST(LinearExtension, RunsTheTaskIssuedLastFirstWhereNothingHoldsItBack) {
  PlanSketch sketch;
  sketch.task("copy", GraphId::TRANSFER_A, kTrans, {});
  sketch.task("forward", GraphId::DEEP_FWD_BWD, kComp, {});
  sketch.program(train_step(),
                 {launch(GraphId::TRANSFER_A, kTrans), launch(GraphId::DEEP_FWD_BWD, kComp)});
  const auto order = unroll(sketch.plan, {train_step()});
  ASSERT_TRUE(order.has_value());
  std::vector<std::string> tasks;
  for (const std::uint32_t node : linear_extension(*order, ExtensionMode::latest_first)) {
    if (order->nodes[node].task) tasks.push_back(order->nodes[node].label);
  }
  EXPECT_THAT(tasks, ElementsAre("step 0: forward", "step 0: copy"));
}

}  // namespace
}  // namespace quintet::test
