#include "runtime/policy/policy_catalog.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <string>

#include "runtime/model/op_kind.h"

namespace quintet {
namespace {

Task task_of(OpKind kind, TaskPart part, GraphId graph) {
  Task task;
  task.kind = kind;
  task.part = part;
  task.graph = graph;
  task.layer = "layer";
  task.name = fmt::format("layer/{}/{}", name_of(kind), name_of(part));
  return task;
}

StreamKind stream_in(const std::string& policy, OpKind kind, TaskPart part,
                     GraphId graph = GraphId::DEEP_FWD_BWD) {
  const auto found = find_policy(policy);
  EXPECT_TRUE(found.has_value());
  const auto choice = stream_of(*found, task_of(kind, part, graph));
  EXPECT_TRUE(choice.has_value()) << to_string(choice.error());
  return choice->stream;
}

TEST(PolicyCatalog, HoldsExactlyTheFilesOfItsFolderUnderTheirOwnNames) {
  std::set<std::string> in_catalog;
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    in_catalog.insert(std::string(builtin.name));
    const auto policy = find_policy(std::string(builtin.name));
    ASSERT_TRUE(policy.has_value()) << to_string(policy.error());
    EXPECT_EQ(policy->name, builtin.name);
    EXPECT_FALSE(policy->description.empty());
  }
  std::set<std::string> in_folder;
  const std::filesystem::path folder =
      std::filesystem::path(QUINTET_SOURCE_DIR) / "scenarios/policies";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") in_folder.insert(entry.path().stem().string());
  }
  EXPECT_EQ(in_catalog, in_folder);
}

TEST(PolicyCatalog, HoldsTheTextOfTheFiles) {
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    std::ifstream file(
        fmt::format("{}/scenarios/policies/{}.toml", QUINTET_SOURCE_DIR, builtin.name));
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), builtin.toml) << builtin.name;
  }
}

TEST(PolicyCatalog, GivesEveryKindOfOpAStreamInEveryPolicy) {
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    const auto policy = find_policy(std::string(builtin.name));
    ASSERT_TRUE(policy.has_value());
    for (const OpKind kind : all_op_kinds()) {
      if (runs_on_host(kind) || kind == OpKind(ComputeOp::FLATTEN)) continue;
      for (const GraphId graph : all_graph_ids()) {
        if (runs_on_host(graph)) continue;
        const auto choice = stream_of(*policy, task_of(kind, TaskPart::Y, graph));
        ASSERT_TRUE(choice.has_value()) << to_string(choice.error());
        EXPECT_TRUE(choice->reason.starts_with(fmt::format("{}.toml:", builtin.name)));
      }
    }
  }
}

TEST(PolicyCatalog, GivesEverySubgraphThatIsLaunchedAStreamInEveryPolicy) {
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    const auto policy = find_policy(std::string(builtin.name));
    ASSERT_TRUE(policy.has_value());
    for (const GraphId graph : all_graph_ids()) {
      EXPECT_EQ(launch_stream_of(*policy, graph).has_value(), !runs_on_host(graph))
          << builtin.name << " " << name_of(graph);
    }
  }
}

TEST(PolicyCatalog, SavesEveryPolicyToTheSamePolicy) {
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    const auto policy = find_policy(std::string(builtin.name));
    ASSERT_TRUE(policy.has_value());
    const auto again = parse_policy(save_policy(*policy), "again.toml");
    ASSERT_TRUE(again.has_value()) << to_string(again.error());
    EXPECT_EQ(*again, *policy);
  }
}

TEST(PolicyCatalog, FindsAPolicyByPathAndNamesTheNearestOfOneItDoesNotHave) {
  const auto by_path =
      find_policy(std::string(QUINTET_SOURCE_DIR) + "/scenarios/policies/serial.toml");
  ASSERT_TRUE(by_path.has_value());
  EXPECT_EQ(by_path->name, "serial");
  EXPECT_EQ(to_string(find_policy("renaisance").error()),
            "no policy is called \"renaisance\" and no such file exists; did you mean "
            "\"renaissance\"?");
  EXPECT_EQ(find_policy("nimbel").error().cure, "did you mean \"nimble\"?") << "a computed one";
  EXPECT_EQ(find_policy("mine.toml").error().cure,
            "use one of serial, renaissance-as-published, renaissance, renaissance-dataflow, "
            "nimble, opara, critical-path, heft, ooo-wgrad, or the path of a policy file");
}

TEST(SerialPolicy, PutsEverythingOnOneStream) {
  const auto policy = find_policy("serial");
  ASSERT_TRUE(policy.has_value());
  for (const auto& [kind, rule] : policy->ops)
    EXPECT_EQ(rule.stream, StreamKind::COMP_1) << kind;
  for (const auto& [graph, rule] : policy->subgraphs)
    EXPECT_EQ(rule.stream, StreamKind::COMP_1) << name_of(graph);
  EXPECT_TRUE(policy->parts.empty());
  EXPECT_TRUE(policy->layers.empty());
  EXPECT_EQ(policy->step, StepMode::host_sync);
}

TEST(FiveStreamPolicy, PutsUploadsOnTheTransferStream) {
  EXPECT_EQ(stream_in("renaissance", ComputeOp::H2D_COPY, TaskPart::copy, GraphId::TRANSFER_A),
            StreamKind::TRANS);
  EXPECT_EQ(stream_in("renaissance", ComputeOp::H2D_COPY, TaskPart::copy, GraphId::LR_TRANSFER_B),
            StreamKind::TRANS);
}

TEST(FiveStreamPolicy, PutsMetricsBesideTrainingOnUpdateAndInEvaluationOnTheTrunk) {
  EXPECT_EQ(stream_in("renaissance", ComputeOp::METRICS, TaskPart::Y, GraphId::METRICS_A),
            StreamKind::UPDATE);
  EXPECT_EQ(stream_in("renaissance", ComputeOp::METRICS, TaskPart::Y, GraphId::INF_MAIN_B),
            StreamKind::COMP_1);
}

TEST(FiveStreamPolicy, SplitsConvolutionAndFullyConnectedBackwardOverThreeStreams) {
  for (const ComputeOp kind :
       {ComputeOp::FC_FP32_BWD, ComputeOp::FC_AMP_BWD, ComputeOp::CONV_FP32_BWD,
        ComputeOp::CONV_AMP_BWD, ComputeOp::FC_FP32_BWD_FIRST_LAYER,
        ComputeOp::FC_AMP_BWD_FIRST_LAYER, ComputeOp::CONV_FP32_BWD_FIRST_LAYER,
        ComputeOp::CONV_AMP_BWD_FIRST_LAYER}) {
    EXPECT_EQ(stream_in("renaissance", kind, TaskPart::dW), StreamKind::COMP_1);
    EXPECT_EQ(stream_in("renaissance", kind, TaskPart::dB), StreamKind::COMP_2);
  }
  EXPECT_EQ(stream_in("renaissance", ComputeOp::FC_FP32_BWD, TaskPart::dX), StreamKind::COMP_3);
  EXPECT_EQ(stream_in("renaissance", ComputeOp::CONV_FP32_BWD, TaskPart::dX), StreamKind::COMP_3);
}

TEST(FiveStreamPolicy, LeavesTheInputGradientsOfOtherOpsWithTheirOp) {
  EXPECT_EQ(stream_in("renaissance", ComputeOp::MAXPOOL_FP32_BWD, TaskPart::dX),
            StreamKind::COMP_2);
  EXPECT_EQ(stream_in("renaissance", ComputeOp::SOFTMAX_CE_FP32_BWD, TaskPart::dX),
            StreamKind::COMP_1);
  EXPECT_EQ(stream_in("renaissance", ComputeOp::RELU_FP32_BWD, TaskPart::dX), StreamKind::COMP_3);
}

TEST(FiveStreamPolicy, KeepsOneTableInAllThreeForms) {
  const auto published = find_policy("renaissance-as-published");
  const auto fixed = find_policy("renaissance");
  const auto dataflow = find_policy("renaissance-dataflow");
  ASSERT_TRUE(published && fixed && dataflow);
  EXPECT_EQ(published->sync, SyncRule::adjacent);
  EXPECT_EQ(fixed->sync, SyncRule::adjacent_conflicts);
  EXPECT_EQ(dataflow->sync, SyncRule::dataflow);
  EXPECT_EQ(dataflow->gradients, GradientMode::separate);
  EXPECT_EQ(dataflow->step, StepMode::event_sync);
  for (const auto* other : {&*published, &*dataflow}) {
    EXPECT_EQ(other->ops, fixed->ops);
    EXPECT_EQ(other->parts, fixed->parts);
    EXPECT_EQ(other->subgraphs, fixed->subgraphs);
    EXPECT_EQ(other->by_subgraph, fixed->by_subgraph);
  }
}

}  // namespace
}  // namespace quintet
