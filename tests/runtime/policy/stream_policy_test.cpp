#include "runtime/policy/stream_policy.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

namespace quintet {
namespace {

const std::string kHead =
    "name = \"mine\"\n"           // line 1
    "sync = \"dataflow\"\n"       // line 2
    "gradients = \"separate\"\n"  // line 3
    "step = \"event_sync\"\n";    // line 4

Task task_of(OpKind kind, TaskPart part, GraphId graph = GraphId::DEEP_FWD_BWD,
             const std::string& layer = "conv1") {
  Task task;
  task.kind = kind;
  task.part = part;
  task.graph = graph;
  task.layer = layer;
  task.name = fmt::format("{}/{}/{}", layer, name_of(kind), name_of(part));
  return task;
}

StreamPolicy parsed(const std::string& text) {
  const auto policy = parse_policy(text, "folder/mine.toml");
  EXPECT_TRUE(policy.has_value()) << (policy ? "" : to_string(policy.error()));
  return policy.value_or(StreamPolicy{});
}

std::string error_of(const std::string& text) {
  const auto policy = parse_policy(text, "mine.toml");
  return policy ? "no error" : to_string(policy.error());
}

TEST(PolicyFile, GivesEveryFieldItsValueAndItsLine) {
  const StreamPolicy policy = parsed(kHead +
                                     "by_subgraph = [\"METRICS\"]\n"
                                     "description = \"a try\"\n"
                                     "[ops]\n"
                                     "RELU_FP32_FWD = \"COMP_3\"\n"
                                     "[parts]\n"
                                     "dW = \"COMP_2\"\n"
                                     "\"CONV_FP32_BWD/dW\" = \"COMP_1\"\n"
                                     "[subgraphs]\n"
                                     "METRICS_A = \"UPDATE\"\n"
                                     "[priorities]\n"
                                     "COMP_2 = -3\n"
                                     "[[layers]]\n"
                                     "glob = \"fc*\"\n"
                                     "stream = \"TRANS\"\n");
  EXPECT_EQ(policy.name, "mine");
  EXPECT_EQ(policy.description, "a try");
  EXPECT_EQ(policy.file, "folder/mine.toml");
  EXPECT_EQ(policy.sync, SyncRule::dataflow);
  EXPECT_EQ(policy.gradients, GradientMode::separate);
  EXPECT_EQ(policy.step, StepMode::event_sync);
  ASSERT_EQ(policy.by_subgraph.size(), 1U);
  EXPECT_EQ(policy.by_subgraph[0].line, 5);
  EXPECT_EQ(policy.ops.at("RELU_FP32_FWD").stream, StreamKind::COMP_3);
  EXPECT_EQ(policy.ops.at("RELU_FP32_FWD").line, 8);
  EXPECT_EQ(policy.parts.at("dW").line, 10);
  EXPECT_EQ(policy.parts.at("CONV_FP32_BWD/dW").stream, StreamKind::COMP_1);
  EXPECT_EQ(policy.subgraphs.at(GraphId::METRICS_A).line, 13);
  EXPECT_EQ(policy.priorities[index_of(StreamKind::COMP_2)], -3);
  EXPECT_EQ(policy.priorities[index_of(StreamKind::COMP_1)], 0);
  ASSERT_EQ(policy.layers.size(), 1U);
  EXPECT_EQ(policy.layers[0].stream, StreamKind::TRANS);
  EXPECT_EQ(policy.layers[0].line, 17);
}

TEST(PolicyFile, ReadsTheEdgesOfAManualPolicy) {
  const StreamPolicy policy = parsed(
      "name = \"mine\"\nsync = \"manual\"\ngradients = \"in_place\"\nstep = \"whole_step\"\n"
      "[[edges]]\nfrom = \"a/X/Y\"\nto = \"b/X/Y\"\n");
  ASSERT_EQ(policy.edges.size(), 1U);
  EXPECT_EQ(policy.edges[0], (ManualEdge{"a/X/Y", "b/X/Y", 0}));
  EXPECT_EQ(policy.edges[0].line, 6);
}

TEST(PolicyFile, ReadsIssueRulesAndReasonsAndSavesThem) {
  const StreamPolicy policy = parsed(kHead +
                                     "[[layers]]\n"
                                     "glob = \"fc1\"\n"
                                     "stream = \"COMP_2\"\n"
                                     "reason = \"earliest finish\"\n"
                                     "[[issue]]\n"
                                     "task = \"*/CONV_FP32_BWD/dW\"\n"
                                     "after = \"conv1/CONV_FP32_BWD/dX\"\n"
                                     "reason = \"off the critical path\"\n"
                                     "[[issue]]\n"
                                     "task = \"a\"\n"
                                     "after = \"b\"\n");
  ASSERT_EQ(policy.issue.size(), 2U);
  EXPECT_EQ(policy.issue[0], (IssueRule{"*/CONV_FP32_BWD/dW", "conv1/CONV_FP32_BWD/dX", 0,
                                        "off the critical path"}));
  EXPECT_EQ(policy.issue[0].line, 10);
  EXPECT_EQ(policy.issue[1].reason, "");
  EXPECT_EQ(stream_of(policy,
                      task_of(ComputeOp::RELU_FP32_FWD, TaskPart::Y, GraphId::DEEP_FWD_BWD, "fc1"))
                ->reason,
            "mine.toml:6: layer glob fc1 -> COMP_2 (earliest finish)");
  EXPECT_EQ(parsed(save_policy(policy)), policy);
  EXPECT_EQ(error_of(kHead + "[[issue]]\ntask = \"a\"\n"),
            "mine.toml:5: the key after of [issue] is missing; add after = "
            "\"conv1/CONV_FP32_BWD/dX\"");
  EXPECT_EQ(error_of(kHead + "[[issue]]\ntask = \"a\"\nafter = \"a\"\n"),
            "mine.toml:6: a is to be issued after itself; name another task in task or after");
}

TEST(PolicyFile, NamesFileLineAndCureOfEachFault) {
  const std::string ops = "[ops]\n";  // line 5, after the four of the head
  EXPECT_EQ(error_of("name = \"mine\"\nsync = \n").substr(0, 28), "mine.toml:2: not valid TOML:");
  EXPECT_EQ(error_of(kHead + "prioritys = 1\n"),
            "mine.toml:5: unknown key prioritys; did you mean \"priorities\"?");
  EXPECT_EQ(error_of(kHead + "[op]\n"), "mine.toml:5: unknown table [op]; did you mean \"ops\"?");
  EXPECT_EQ(error_of(kHead + ops + "RELU_FP32_FWT = \"COMP_1\"\n"),
            "mine.toml:6: unknown op kind \"RELU_FP32_FWT\"; did you mean \"RELU_FP32_FWD\"?");
  EXPECT_EQ(error_of(kHead + ops + "RELU_FP32_FWD = \"COMP1\"\n"),
            "mine.toml:6: unknown stream \"COMP1\"; did you mean \"COMP_1\"?");
  EXPECT_EQ(error_of(kHead + ops + "RELU_FP32_FWD = \"default\"\n"),
            "mine.toml:6: unknown stream \"default\"; use one of TRANS, COMP_1, COMP_2, COMP_3, "
            "UPDATE");
  EXPECT_EQ(error_of(kHead + ops + "RELU_FP32_FWD = 1\n"),
            "mine.toml:6: ops.RELU_FP32_FWD is an integer, not text in quotes; write text in "
            "quotes");
  EXPECT_EQ(error_of(kHead + ops + "HOST_WRITE_LR = \"COMP_1\"\n"),
            "mine.toml:6: HOST_WRITE_LR is run by a host thread and takes no stream; delete the "
            "rule");
  EXPECT_EQ(error_of(kHead + ops + "FLATTEN = \"COMP_1\"\n"),
            "mine.toml:6: FLATTEN is a view without a task and takes no stream; delete the rule");
  EXPECT_EQ(error_of(kHead + "[parts]\ndw = \"COMP_1\"\n"),
            "mine.toml:6: unknown part \"dw\"; did you mean \"dW\"?");
  EXPECT_EQ(error_of(kHead + "[parts]\n\"CONV_FP32_BW/dW\" = \"COMP_1\"\n"),
            "mine.toml:6: unknown op kind \"CONV_FP32_BW\"; did you mean \"CONV_FP32_BWD\"?");
  EXPECT_EQ(error_of(kHead + "[subgraphs]\nWHOLE_STEP = \"COMP_1\"\n"),
            "mine.toml:6: unknown sub-graph \"WHOLE_STEP\"; did you mean \"WHOLE_STEP_A\"?");
  EXPECT_EQ(error_of(kHead + "[subgraphs]\nHOST_FILL_A = \"COMP_1\"\n"),
            "mine.toml:6: HOST_FILL_A is run by a host thread and is launched on no stream; "
            "delete the rule");
  EXPECT_EQ(error_of(kHead + "[priorities]\nCOMP_1 = -9\n"),
            "mine.toml:6: priorities.COMP_1 = -9 is out of range; use -5 to 0");
  EXPECT_EQ(error_of(kHead + "by_subgraph = [\n\"METRICS\",\n7]\n"),
            "mine.toml:7: by_subgraph holds an integer, not text; write text in quotes");
  EXPECT_EQ(error_of(kHead + "by_subgraph = [\"METRICS\"]\n[ops]\nMETRICS = \"COMP_1\"\n"),
            "mine.toml:5: METRICS takes its sub-graph's stream here and COMP_1 in line 7; delete "
            "one of the two");
  EXPECT_EQ(error_of(kHead + "by_subgraph = [\"METRICS\", \"METRICS\"]\n"),
            "mine.toml:5: by_subgraph lists METRICS twice; delete one of the two");
  EXPECT_EQ(error_of(kHead + "[[layers]]\nglob = \"fc*\"\n"),
            "mine.toml:5: the key stream of [layers] is missing; add stream = \"COMP_1\"");
  EXPECT_EQ(error_of(kHead + "[[layers]]\nglobe = \"fc*\"\nstream = \"COMP_1\"\n"),
            "mine.toml:6: unknown key layers.globe; did you mean \"glob\"?");
  EXPECT_EQ(error_of(kHead + "[layers]\nglob = \"fc*\"\n"),
            "mine.toml:5: layers is a table, not an array of tables, [[layers]]; write an array "
            "of tables, [[layers]]");
  EXPECT_EQ(error_of(kHead + "[[edges]]\nfrom = \"a\"\nto = \"b\"\n"),
            "mine.toml:5: an edge is listed, but sync = \"dataflow\" plans its own edges; set "
            "sync = \"manual\" or delete the edges");
  EXPECT_EQ(error_of("name = \"mine\"\nsync = \"manual\"\ngradients = \"in_place\"\n"
                     "step = \"whole_step\"\n[[edges]]\nfrom = \"a\"\nto = \"a\"\n"),
            "mine.toml:6: the edge lets a wait for itself; name another task in from or to");
}

TEST(PolicyFile, DemandsNameSyncGradientsAndStep) {
  EXPECT_EQ(error_of("sync = \"dataflow\"\ngradients = \"separate\"\nstep = \"event_sync\"\n"),
            "mine.toml: the key name is missing; add name = \"my-policy\"");
  EXPECT_EQ(error_of("name = \"a\"\ngradients = \"separate\"\nstep = \"event_sync\"\n"),
            "mine.toml: the key sync is missing; add sync = \"dataflow\"");
  EXPECT_EQ(error_of("name = \"a\"\nsync = \"dataflow\"\nstep = \"event_sync\"\n"),
            "mine.toml: the key gradients is missing; add gradients = \"in_place\"");
  EXPECT_EQ(error_of("name = \"a\"\nsync = \"dataflow\"\ngradients = \"separate\"\n"),
            "mine.toml: the key step is missing; add step = \"host_sync\"");
  EXPECT_EQ(error_of("name = \"a\"\nsync = \"adjacent+conflict\"\n"),
            "mine.toml:2: sync = \"adjacent+conflict\" is not known; did you mean "
            "\"adjacent+conflicts\"?");
  EXPECT_EQ(error_of("name = \"\"\nsync = \"dataflow\"\ngradients = \"separate\"\n"
                     "step = \"event_sync\"\n"),
            "mine.toml:1: name is empty; give it a name");
}

TEST(PolicyFile, ReportsAMisspeltKeyRatherThanTheKeyItLeavesMissing) {
  EXPECT_EQ(error_of("name = \"a\"\nsink = \"dataflow\"\ngradients = \"separate\"\n"
                     "step = \"event_sync\"\n"),
            "mine.toml:2: unknown key sink; did you mean \"sync\"?");
}

TEST(PolicyFile, ReportsTheFirstOfSeveralFaults) {
  EXPECT_EQ(
      error_of(kHead + "[subgraphs]\nNONE = \"COMP_1\"\n[ops]\nGEMM = \"COMP_1\"\n").substr(0, 42),
      "mine.toml:6: unknown sub-graph \"NONE\"; use");
}

TEST(PolicyFile, NeverCrashesOnATextCutAnywhere) {
  const std::string text = kHead +
                           "by_subgraph = [\"METRICS\"]\n[ops]\nRELU_FP32_FWD = \"COMP_3\"\n"
                           "[subgraphs]\nMETRICS_A = \"UPDATE\"\n[[layers]]\nglob = \"x\"\n"
                           "stream = \"COMP_1\"\n";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto policy = parse_policy(text.substr(0, length), "mine.toml");
    if (!policy) {
      EXPECT_FALSE(policy.error().message.empty());
      EXPECT_EQ(policy.error().file, "mine.toml");
    }
  }
}

TEST(StreamOf, LetsALayerGlobWinOverPartOverOpKindOverSubgraph) {
  StreamPolicy policy;
  policy.file = "p.toml";
  const Task task = task_of(ComputeOp::CONV_FP32_BWD, TaskPart::dW);
  policy.by_subgraph = {{"CONV_FP32_BWD", 1}};
  policy.subgraphs[GraphId::DEEP_FWD_BWD] = {StreamKind::UPDATE, 2};
  EXPECT_EQ(stream_of(policy, task)->stream, StreamKind::UPDATE);
  EXPECT_EQ(stream_of(policy, task)->reason,
            "p.toml:2: CONV_FP32_BWD by sub-graph DEEP_FWD_BWD -> UPDATE");
  policy.ops["CONV_FP32_BWD"] = {StreamKind::COMP_3, 3};
  EXPECT_EQ(stream_of(policy, task)->reason, "p.toml:3: op kind CONV_FP32_BWD -> COMP_3");
  policy.parts["dW"] = {StreamKind::COMP_2, 4};
  EXPECT_EQ(stream_of(policy, task)->reason, "p.toml:4: part dW -> COMP_2");
  policy.parts["CONV_FP32_BWD/dW"] = {StreamKind::COMP_1, 5};
  EXPECT_EQ(stream_of(policy, task)->reason, "p.toml:5: part CONV_FP32_BWD/dW -> COMP_1");
  policy.layers = {{"conv2", StreamKind::TRANS, 6}};
  EXPECT_EQ(stream_of(policy, task)->stream, StreamKind::COMP_1) << "conv2 is another layer";
  policy.layers.push_back({"conv?", StreamKind::TRANS, 7});
  policy.layers.push_back({"*", StreamKind::UPDATE, 8});
  EXPECT_EQ(stream_of(policy, task)->stream, StreamKind::TRANS);
  EXPECT_EQ(stream_of(policy, task)->reason, "p.toml:7: layer glob conv? -> TRANS");
}

TEST(StreamOf, HoldsAGlobWithASlashAgainstTheTaskName) {
  StreamPolicy policy;
  policy.ops["CONV_FP32_BWD"] = {StreamKind::COMP_3, 1};
  policy.layers = {{"conv*/*/dW", StreamKind::COMP_2, 2}};
  EXPECT_EQ(stream_of(policy, task_of(ComputeOp::CONV_FP32_BWD, TaskPart::dW))->stream,
            StreamKind::COMP_2);
  EXPECT_EQ(stream_of(policy, task_of(ComputeOp::CONV_FP32_BWD, TaskPart::dX))->stream,
            StreamKind::COMP_3);
}

TEST(StreamOf, MatchesGlobsFromEndToEnd) {
  const auto matches = [](const std::string& glob, const std::string& layer) {
    StreamPolicy policy;
    policy.layers = {{glob, StreamKind::COMP_1, 1}};
    return stream_of(policy, task_of(ComputeOp::METRICS, TaskPart::Y, GraphId::METRICS_A, layer))
        .has_value();
  };
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("conv*", "conv"));
  EXPECT_TRUE(matches("*1*", "conv12"));
  EXPECT_TRUE(matches("c*n*2", "conv1n22"));
  EXPECT_TRUE(matches("c**2", "c2"));
  EXPECT_FALSE(matches("conv", "conv1"));
  EXPECT_FALSE(matches("conv?", "conv"));
  EXPECT_FALSE(matches("onv1", "conv1"));
  EXPECT_FALSE(matches("c*n*2", "conv1n23"));
}

TEST(StreamOf, NamesKindTaskAndCureOfAKindThatNothingLists) {
  StreamPolicy policy = parsed(kHead + "[subgraphs]\nDEEP_FWD_BWD = \"COMP_1\"\n");
  const auto stream = stream_of(policy, task_of(ComputeOp::SILU_FP32_FWD, TaskPart::Y));
  ASSERT_FALSE(stream.has_value());
  EXPECT_EQ(to_string(stream.error()),
            "folder/mine.toml: policy mine gives no stream for op kind SILU_FP32_FWD, which task "
            "conv1/SILU_FP32_FWD/Y is of; add SILU_FP32_FWD = \"COMP_1\" (or another stream) under "
            "[ops], or \"SILU_FP32_FWD\" to by_subgraph");
}

TEST(StreamOf, NamesTheSubgraphThatAKindShouldFollowButThePolicyDoesNotList) {
  const StreamPolicy policy = parsed(kHead + "by_subgraph = [\"METRICS\"]\n");
  const auto stream =
      stream_of(policy, task_of(ComputeOp::METRICS, TaskPart::Y, GraphId::INF_MAIN_B, "loss"));
  ASSERT_FALSE(stream.has_value());
  EXPECT_EQ(to_string(stream.error()),
            "folder/mine.toml:5: policy mine gives no stream for sub-graph INF_MAIN_B, which task "
            "loss/METRICS/Y follows; add INF_MAIN_B = \"COMP_1\" (or another stream) under "
            "[subgraphs]");
}

TEST(LaunchStreamOf, GivesTheListedStreamAndNeverADefault) {
  const StreamPolicy policy = parsed(kHead + "[subgraphs]\nOPTIMIZER = \"UPDATE\"\n");
  EXPECT_EQ(*launch_stream_of(policy, GraphId::OPTIMIZER), StreamKind::UPDATE);
  const auto missing = launch_stream_of(policy, GraphId::DEEP_COMM);
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().message,
            "policy mine gives no stream for sub-graph DEEP_COMM to be launched on");
}

TEST(SavePolicy, WritesATextThatParsesToTheSamePolicy) {
  StreamPolicy policy;
  policy.name = "odd \"name\" \\ with\ttab and\nnewline";
  policy.description = "d\u00e9j\u00e0 vu";
  policy.sync = SyncRule::manual;
  policy.gradients = GradientMode::separate;
  policy.step = StepMode::whole_step;
  policy.ops["METRICS"] = {StreamKind::UPDATE, 1};
  policy.parts["dB"] = {StreamKind::COMP_2, 1};
  policy.parts["FC_FP32_BWD/dX"] = {StreamKind::COMP_3, 1};
  policy.layers = {{"z*", StreamKind::TRANS, 1}, {"a\"b*", StreamKind::COMP_1, 1}};
  policy.by_subgraph = {{"RANGE_CLEAR", 1}, {"H2D_COPY", 1}};
  policy.subgraphs[GraphId::WHOLE_EVAL_B] = {StreamKind::COMP_1, 1};
  policy.priorities = {-1, 0, -5, 0, -2};
  policy.edges = {{"fc1/FC_FP32_BWD/dW", "fc1/FC_FP32_BWD/dX", 1}, {"a", "b", 1}};
  const auto again = parse_policy(save_policy(policy), "saved.toml");
  ASSERT_TRUE(again.has_value()) << to_string(again.error());
  EXPECT_EQ(*again, policy);

  StreamPolicy other = policy;
  other.layers[0].stream = StreamKind::UPDATE;
  EXPECT_FALSE(*again == other);
}

TEST(PolicyReadme, ShowsAPolicyThatIsRight) {
  std::ifstream file(std::string(QUINTET_SOURCE_DIR) + "/runtime/policy/README.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string fence = "```toml\n";
  const std::size_t begin = text.find(fence) + fence.size();
  ASSERT_GE(begin, fence.size());
  const StreamPolicy policy = parsed(text.substr(begin, text.find("```", begin) - begin));
  EXPECT_EQ(policy.name, "my-policy");
  EXPECT_EQ(policy.layers.size(), 1U);
}

TEST(LoadPolicy, ReadsAFileAndSaysWhatIsWrongWithOneItCannotRead) {
  const std::string path = testing::TempDir() + "load_policy_test.toml";
  std::ofstream(path) << kHead << "[ops]\nRELU_FP32_FWD = \"COMP_3\"\n";
  const auto policy = load_policy(path);
  ASSERT_TRUE(policy.has_value()) << to_string(policy.error());
  EXPECT_EQ(policy->file, path);
  std::filesystem::remove(path);
  EXPECT_EQ(to_string(load_policy(path).error()), path + ": no such policy file; check the path");
  EXPECT_EQ(to_string(load_policy(testing::TempDir()).error()),
            testing::TempDir() + ": is a folder, not a policy file; give the path of a file");
}

}  // namespace
}  // namespace quintet
