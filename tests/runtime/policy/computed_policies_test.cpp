// What every computed policy has to keep, on random step graphs and on the networks.

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>
#include <string>

#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/critical_path_policy.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/heft_policy.h"
#include "runtime/policy/ooo_wgrad_policy.h"
#include "runtime/policy/opara_policy.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"
#include "tests/support/random_dag.h"

namespace quintet::test {
namespace {

bool keeps_arcs(const StepMapping& mapping, const StepDag& dag) {
  std::vector<std::size_t> place(dag.size(), dag.size());
  for (std::size_t at = 0; at < mapping.order.size(); ++at)
    place[mapping.order[at]] = at;
  return mapping.order.size() == dag.size() &&
         std::all_of(dag.arcs().begin(), dag.arcs().end(),
                     [&](const Arc& arc) { return place[arc.from] < place[arc.to]; });
}

TEST(ComputedPolicies, IssueEveryTaskOnceAndAfterWhatItNeeds) {
  TestRandom random(3);
  for (int round = 0; round < 200; ++round) {
    const StepDag dag = random_dag(random, static_cast<std::uint32_t>(random.integer(0, 40)),
                                   random.integer(2, 40));
    for (const ComputedPolicy& policy : computed_catalog()) {
      const StepMapping mapping = policy.map(dag);
      ASSERT_EQ(mapping.streams.size(), dag.size()) << policy.name;
      ASSERT_EQ(mapping.reasons.size(), dag.size()) << policy.name;
      ASSERT_TRUE(keeps_arcs(mapping, dag)) << policy.name << ", round " << round;
    }
  }
}

TEST(ComputedPolicies, LeaveATaskWithAFixedStreamThere) {
  std::vector<DagNode> nodes(3);
  nodes[1].fixed = StreamKind::TRANS;
  const StepDag dag(nodes, {{0, 2}});
  for (const ComputedPolicy& policy : computed_catalog()) {
    const StepMapping mapping = policy.map(dag);
    EXPECT_EQ(mapping.streams[1], StreamKind::TRANS) << policy.name;
    EXPECT_NE(mapping.streams[0], StreamKind::TRANS) << policy.name;
  }
}

TEST(StepDag, KeepsOnlyArcsThatNoOthersImply) {
  const StepDag dag(std::vector<DagNode>(4), {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 3}, {0, 1}});
  EXPECT_EQ(dag.arcs().size(), 3U);
  EXPECT_EQ(std::vector<std::uint32_t>(dag.before(3).begin(), dag.before(3).end()),
            std::vector<std::uint32_t>{2});
  EXPECT_TRUE(dag.closure().reaches(0, 3));
}

TEST(CriticalPathPolicy, PutsTheLongestPathOnTheFirstStreamAndTheRestBeside) {
  std::vector<DagNode> nodes(5);
  for (DagNode& node : nodes)
    node.weight.alone_ns = 100;
  nodes[2].weight.alone_ns = 500;
  const StepDag dag(nodes, {{0, 1}, {0, 2}, {1, 4}, {2, 4}, {0, 3}});
  EXPECT_EQ(longest_path(dag), (std::vector<std::uint32_t>{0, 2, 4}));
  const StepMapping mapping = critical_path_mapping(dag);
  EXPECT_EQ(mapping.streams,
            (std::vector{StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_1,
                         StreamKind::COMP_3, StreamKind::COMP_1}));
  for (const StreamKind stream : kStreamKinds) {
    if (stream != StreamKind::COMP_1) {
      EXPECT_LT(mapping.priorities[index_of(StreamKind::COMP_1)],
                mapping.priorities[index_of(stream)]);
    }
  }
}

TEST(OparaPolicy, FollowsAPredecessorThatNothingFollowed) {
  std::vector<DagNode> nodes(4);
  const StepDag dag(nodes, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const StepMapping mapping = opara_mapping(dag);
  EXPECT_EQ(mapping.streams, (std::vector{StreamKind::COMP_1, StreamKind::COMP_1,
                                          StreamKind::COMP_2, StreamKind::COMP_1}));
}

TEST(OparaPolicy, IssuesTasksOfMemoryAndOfArithmeticInTurn) {
  std::vector<DagNode> nodes(4);
  nodes[2].memory_bound = nodes[3].memory_bound = true;
  nodes[3].weight.sm_share = 0.1;
  const StepMapping mapping = opara_mapping(StepDag(nodes, {}));
  EXPECT_EQ(mapping.order, (std::vector<std::uint32_t>{3, 0, 2, 1}));
}

TEST(OooWgradPolicy, MovesWeightGradientsBesideAndLeavesTheTrunkMoreUrgent) {
  std::vector<DagNode> nodes(3);
  nodes[1].part = TaskPart::dW;
  nodes[2].optimizer = true;
  const StepMapping mapping = ooo_wgrad_mapping(StepDag(nodes, {{0, 1}, {1, 2}}));
  EXPECT_EQ(mapping.streams,
            (std::vector{StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::UPDATE}));
  EXPECT_LT(mapping.priorities[index_of(StreamKind::COMP_1)],
            mapping.priorities[index_of(StreamKind::COMP_2)]);
}

TEST(HeftPolicy, IsNeverLongerThanOneStreamInItsOwnModel) {
  TestRandom random(4);
  for (int round = 0; round < 200; ++round) {
    const StepDag dag = random_dag(random, static_cast<std::uint32_t>(random.integer(1, 40)),
                                   random.integer(2, 60));
    const HeftSchedule schedule = heft_schedule(dag);
    ASSERT_LE(schedule.makespan_ns, schedule.serial_ns);
    const std::vector<double> ranks = upward_ranks(dag, 0);
    ASSERT_GE(schedule.makespan_ns, *std::max_element(ranks.begin(), ranks.end()) - 1e-3);
  }
}

TEST(HeftPolicy, OverlapsWhatLeavesRoomAndNotWhatFillsTheDevice) {
  std::vector<DagNode> nodes(2);
  nodes[0].weight = nodes[1].weight = {10'000, 0.4, 0.1};
  EXPECT_DOUBLE_EQ(heft_schedule(StepDag(nodes, {})).makespan_ns, 10'000);
  nodes[0].weight.sm_share = nodes[1].weight.sm_share = 1;
  const HeftSchedule full = heft_schedule(StepDag(nodes, {}));
  EXPECT_DOUBLE_EQ(full.makespan_ns, 20'000);
  EXPECT_EQ(full.mapping.streams, (std::vector{StreamKind::COMP_1, StreamKind::COMP_1}));
}

/// The full VGG networks pool more often than small pictures allow.
PlanInput input_of(std::string_view network, Precision precision = Precision::fp32) {
  const bool large = network == "vgg16" || network == "vgg16-bn";
  return large ? full_size_input(network, precision) : planned_input(network, precision);
}

struct ComputedOn : testing::TestWithParam<const char*> {};

TEST_P(ComputedOn, IsRaceFreeInEveryModeAndSurvivesBeingSaved) {
  const PlanInput input = input_of(GetParam());
  const TaskWeights weights = estimated_weights(input.tasks);
  for (const ComputedPolicy& computed : computed_catalog()) {
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      for (const StepMode step :
           {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
        SCOPED_TRACE(fmt::format("{} {} {}", computed.name, name_of(gradients), name_of(step)));
        const auto policy = compute_policy(computed, input, weights, {gradients, step});
        ASSERT_TRUE(policy.has_value()) << to_string(policy.error());
        EXPECT_EQ(policy->name, computed.name);
        const auto again = parse_policy(save_policy(*policy), "again.toml");
        ASSERT_TRUE(again.has_value()) << to_string(again.error());
        EXPECT_EQ(*again, *policy);
        const auto plan = build_plan(input, *policy);
        ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
        const auto proof = prove(*plan);
        ASSERT_TRUE(proof.has_value()) << to_string(proof.error());
        EXPECT_TRUE(proof->race_free()) << proof->races[0].text;
        EXPECT_TRUE(proof->surplus.empty());
      }
    }
  }
}

/// The order of tasks on each stream of a captured whole step, by name.
std::map<StreamKind, std::vector<std::string>> lanes_of(const ExecutionPlan& plan) {
  std::map<StreamKind, std::vector<std::string>> lanes;
  for (const auto& [key, graph] : plan.graphs) {
    if (key.graph != GraphId::WHOLE_STEP_A || plan.shape(key.shape).name != "train" ||
        key.shape != key.next_shape)
      continue;
    for (const PlacedTask& placed : graph.tasks)
      lanes[placed.stream].push_back(plan.task(placed.task).name);
  }
  return lanes;
}

TEST_P(ComputedOn, RunsEachTaskWhereAndWhenTheMappingHasIt) {
  const PlanInput input = input_of(GetParam());
  const TaskWeights weights = estimated_weights(input.tasks);
  const auto dag = step_dag_of(input, {}, weights);
  ASSERT_TRUE(dag.has_value()) << to_string(dag.error());
  ASSERT_GT(dag->size(), 10U);
  std::set<std::string> names;
  for (const DagNode& node : dag->nodes())
    EXPECT_TRUE(names.insert(input.tasks[node.task.value()].name).second)
        << input.tasks[node.task.value()].name << " is twice in a step";
  for (const ComputedPolicy& computed : computed_catalog()) {
    const StepMapping mapping = computed.map(*dag);
    const auto policy = compute_policy(computed, input, weights);
    ASSERT_TRUE(policy.has_value()) << to_string(policy.error());
    const auto plan = build_plan(input, *policy);
    ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
    std::map<StreamKind, std::vector<std::string>> wanted;
    for (const std::uint32_t at : mapping.order)
      wanted[mapping.streams[at]].push_back(input.tasks[dag->node(at).task.value()].name);
    EXPECT_EQ(lanes_of(*plan), wanted) << computed.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, ComputedOn,
                         testing::Values("mlp", "lenet5", "resnet18", "resnet18-twin", "resnet50",
                                         "resnet50-twin", "vgg16", "vgg16-bn", "vgg16-bn-twin",
                                         "vgg16-twin"),
                         [](const auto& network) {
                           std::string name = network.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(ComputedCatalog, IsTriedOnEveryNetwork) {
  EXPECT_EQ(network_catalog().size(), 10U) << "add the new network to the list above";
}

TEST(ComputedCatalog, IsFoundByNameBesideBuiltInPoliciesAndFiles) {
  const PlanInput input = planned_input("mlp");
  const TaskWeights weights = estimated_weights(input.tasks);
  EXPECT_EQ(find_policy("heft", input, weights)->name, "heft");
  EXPECT_EQ(find_policy("serial", input, weights)->name, "serial");
  EXPECT_TRUE(find_policy(std::string(QUINTET_SOURCE_DIR) + "/scenarios/policies/serial.toml",
                          input, weights)
                  .has_value());
  EXPECT_EQ(to_string(find_policy("nimbel", input, weights).error()),
            "no policy is called \"nimbel\" and no such file exists; did you mean \"nimble\"?");
  EXPECT_NE(find_policy("heft", input, weights)->description.find("estimated"), std::string::npos);
}

TEST(ComputedCatalog, SharesNoNameWithTheBuiltInPolicies) {
  for (const BuiltinPolicy& builtin : policy_catalog())
    EXPECT_EQ(find_computed(builtin.name), nullptr) << builtin.name;
}

TEST(ComputedReasons, StandInThePlacementsOfThePlan) {
  const PlanInput input = planned_input("resnet18");
  const auto policy = find_policy("heft", input, estimated_weights(input.tasks));
  ASSERT_TRUE(policy.has_value()) << to_string(policy.error());
  ASSERT_FALSE(policy->layers.empty());
  const auto moved = std::find_if(input.tasks.begin(), input.tasks.end(), [&](const Task& task) {
    return task.name == policy->layers.front().glob;
  });
  ASSERT_NE(moved, input.tasks.end());
  const auto choice = stream_of(*policy, *moved);
  ASSERT_TRUE(choice.has_value());
  EXPECT_TRUE(choice->reason.starts_with("heft.toml:")) << choice->reason;
  EXPECT_NE(choice->reason.find("earliest finish"), std::string::npos) << choice->reason;
}

}  // namespace
}  // namespace quintet::test
