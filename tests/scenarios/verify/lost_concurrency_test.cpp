// What a wait that orders nothing costs, counted by hand on planted ones.
#include "scenarios/verify/lost_concurrency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "profiler/capture/plan_to_trace.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/verify/verification.h"
#include "tests/runtime/policy/network_input.h"

namespace quintet::test {
namespace {

/// Ordered pairs of a graph, by following arcs from every task.
std::uint64_t ordered_pairs(const TaskGraph& graph) {
  std::map<TaskId, std::vector<TaskId>> after;
  std::map<StreamKind, TaskId> last;
  for (const PlacedTask& placed : graph.tasks) {
    if (const auto before = last.find(placed.stream); before != last.end()) {
      after[before->second].push_back(placed.task);
    }
    last[placed.stream] = placed.task;
  }
  for (const Edge& edge : graph.edges)
    after[edge.from].push_back(edge.to);
  std::uint64_t pairs = 0;
  for (const PlacedTask& start : graph.tasks) {
    std::set<TaskId> seen;
    std::vector<TaskId> open = {start.task};
    while (!open.empty()) {
      const TaskId task = open.back();
      open.pop_back();
      for (const TaskId next : after[task]) {
        if (seen.insert(next).second) open.push_back(next);
      }
    }
    pairs += seen.size();
  }
  return pairs;
}

ExecutionPlan lenet_plan() {
  StreamPolicy policy = *find_policy("renaissance-dataflow");
  policy.gradients = GradientMode::separate;
  return *build_plan(planned_input("lenet5"), policy);
}

TaskGraph& deep_graph(ExecutionPlan& plan) {
  for (auto& [key, graph] : plan.graphs) {
    if (key.graph == GraphId::DEEP_FWD_BWD && plan.shape(key.shape).name == "train") return graph;
  }
  ADD_FAILURE() << "no deep graph";
  return plan.graphs.begin()->second;
}

TEST(LostConcurrency, CountsThePairsThatAPlantedWaitKeepsApart) {
  const ExecutionPlan plan = lenet_plan();
  const std::size_t tasks = deep_graph(const_cast<ExecutionPlan&>(plan)).tasks.size();
  std::size_t planted = 0;
  for (std::size_t from = 0; from < tasks; ++from) {
    for (std::size_t to = from + 1; to < tasks; ++to) {
      ExecutionPlan more = plan;
      TaskGraph& graph = deep_graph(more);
      const PlacedTask& first = graph.tasks[from];
      const PlacedTask& second = graph.tasks[to];
      if (first.stream == second.stream) continue;
      const std::uint64_t before = ordered_pairs(graph);
      graph.edges.push_back({first.task, second.task, EdgeRule::manual, "planted"});
      const std::uint64_t lost = ordered_pairs(graph) - before;
      const auto proof = prove(more);
      ASSERT_TRUE(proof.has_value());
      const auto costs = surplus_costs(more, *proof, nullptr);
      // An edge may also make others surplus; its own cost is what is looked at.
      std::uint64_t told = 0;
      for (const SurplusCost& cost : costs) {
        if (cost.edge.from == first.task && cost.edge.to == second.task) told = cost.pairs;
        EXPECT_FALSE(cost.waited_ns.has_value());
      }
      ASSERT_EQ(told, lost);
      if (lost > 0) ++planted;
    }
  }
  EXPECT_GT(planted, 20U);
}

TEST(LostConcurrency, TellsHowLongAPlantedWaitHeldItsTaskUp) {
  ExecutionPlan plan = lenet_plan();
  TaskGraph& graph = deep_graph(plan);
  // dW of the last convolution, then something on another stream that does not need it.
  std::size_t from = 0;
  std::size_t to = 0;
  const std::uint64_t before = ordered_pairs(graph);
  for (std::size_t a = 0; a < graph.tasks.size() && to == 0; ++a) {
    for (std::size_t b = a + 1; b < graph.tasks.size() && to == 0; ++b) {
      if (graph.tasks[a].stream == graph.tasks[b].stream) continue;
      graph.edges.push_back({graph.tasks[a].task, graph.tasks[b].task, EdgeRule::manual, ""});
      if (ordered_pairs(graph) > before) {
        from = a;
        to = b;
      } else {
        graph.edges.pop_back();
      }
    }
  }
  ASSERT_GT(to, from);
  const TaskId waits = graph.tasks[to].task;
  const TaskId held_up_by = graph.tasks[from].task;
  Trace trace = trace_of_plan(plan);
  // Every task ends at 1,000 ns of its step, but the one that was waited for at 1,700.
  for (std::int32_t step = 0; step < 6; ++step) {
    const std::int64_t begin = step * 10'000;
    TraceStep row;
    row.step = step;
    row.phase = "train";
    row.shape = "train";
    row.batch = 8;
    row.begin_ns = begin;
    row.end_ns = begin + 10'000;
    trace.steps.push_back(row);
    for (const PlacedTask& placed : graph.tasks) {
      const bool late = placed.task == held_up_by;
      trace.spans.begin_ns.push_back(begin + (placed.task == waits ? 2'000 : 0));
      trace.spans.end_ns.push_back(begin + (late ? 1'700 : placed.task == waits ? 2'100 : 1'000));
      trace.spans.cpu_ns.push_back(-1);
      trace.spans.task.push_back(placed.task.value());
      trace.spans.step.push_back(step);
      trace.spans.lane.push_back(static_cast<std::uint16_t>(placed.stream));
      trace.spans.executor_lane.push_back(static_cast<std::uint16_t>(placed.stream));
      trace.spans.activity.push_back(kWholeTask);
      trace.spans.correlation.push_back(0);
      trace.spans.channel.push_back(kUnknownChannel);
    }
  }
  const auto proof = prove(plan);
  for (const SurplusCost& cost : surplus_costs(plan, *proof, &trace)) {
    if (cost.edge.from != held_up_by || cost.edge.to != waits) continue;
    ASSERT_TRUE(cost.waited_ns.has_value());
    EXPECT_DOUBLE_EQ(*cost.waited_ns, 700);
    return;
  }
  FAIL() << "the planted wait is not surplus";
}

TEST(LostConcurrency, IsNoneUnderDataflowAndWidthsAreOrderedAsTheyMust) {
  for (const char* network : {"mlp", "lenet5", "resnet50-twin"}) {
    for (const BuiltinPolicy& builtin : policy_catalog()) {
      StreamPolicy policy = *find_policy(std::string(builtin.name));
      policy.sync = SyncRule::dataflow;
      const auto plan = build_plan(planned_input(network), policy);
      ASSERT_TRUE(plan.has_value());
      const auto proof = prove(*plan);
      EXPECT_TRUE(surplus_costs(*plan, *proof, nullptr).empty());
      const auto graphs = graph_concurrency(*plan, *proof);
      EXPECT_FALSE(graphs.empty());
      for (const GraphConcurrency& graph : graphs) {
        EXPECT_GE(graph.width_of_data, graph.width);
        EXPECT_GE(graph.width, 1U);
        EXPECT_LE(graph.width, kStreamCount);
        EXPECT_EQ(graph.lost_pairs, 0U);
      }
    }
  }
}

TEST(Verification, NamesBytesTensorsAndCureOfARace) {
  StreamPolicy policy = *find_policy("renaissance-dataflow");
  policy.sync = SyncRule::manual;
  auto plan = build_plan(planned_input("lenet5"), policy);
  ASSERT_TRUE(plan.has_value());
  auto proof = prove(*plan);
  const Verification made =
      verification_of("lenet5 under mine", std::move(*plan), std::move(*proof), nullptr);
  ASSERT_EQ(made.race_tensors.size(), made.proof.races.size());
  std::size_t named = 0;
  for (std::size_t race = 0; race < made.proof.races.size(); ++race) {
    const Region& region = made.plan.memory.region(made.proof.races[race].bytes.region);
    if (region.kind != RegionKind::WORKSPACE) {
      EXPECT_FALSE(made.race_tensors[race].empty()) << made.proof.races[race].text;
      ++named;
    }
  }
  EXPECT_GT(named, 0U);
  EXPECT_THAT(text_of(made), testing::ContainsRegex("race: .*\n        these bytes hold .*\n"
                                                    "        cure: "));
  const auto json = json_of(made);
  EXPECT_EQ(json.at("races").size(), made.proof.races.size());
  EXPECT_FALSE(json.at("races").at(0).at("tensors").empty());
}

}  // namespace
}  // namespace quintet::test
