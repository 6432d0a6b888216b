// The recordings of scenarios/recorded: whole, small, and what their names say.

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "profiler/metrics/metric_catalog.h"
#include "profiler/trace/trace_reader.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".qtrace.gz";

/// Every recording with its size, by name.
std::map<std::string, std::uintmax_t> recordings() {
  std::map<std::string, std::uintmax_t> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(QUINTET_RECORDED_DIR)) {
    const std::string file = entry.path().filename().string();
    if (!file.ends_with(kEnding)) continue;
    found[file.substr(0, file.size() - kEnding.size())] = entry.file_size();
  }
  return found;
}

Result<Trace> read(const std::string& name) {
  return read_trace(std::string(QUINTET_RECORDED_DIR) + "/" + name + std::string(kEnding));
}

std::vector<std::string> expected_names() {
  std::vector<std::string> names;
  for (const char* network : {"mlp-b128", "resnet18-b256", "resnet50-b256", "resnet50-b32",
                              "resnet50-b8", "vgg16bn-b128"}) {
    for (const char* policy : {"renaissance", "renaissance-dataflow", "serial"}) {
      for (const char* step : {"event_sync", "whole_step"})
        names.push_back(std::string(network) + "-" + policy + "-" + step);
    }
  }
  return names;
}

TEST(RecordedScenarios, AreThereForEveryNetworkPolicyAndStepMode) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : recordings())
    names.push_back(name);
  EXPECT_THAT(names, testing::UnorderedElementsAreArray(expected_names()));
}

TEST(RecordedScenarios, TakeAtMostEightMebibytesTogether) {
  std::uintmax_t total = 0;
  for (const auto& [name, bytes] : recordings())
    total += bytes;
  EXPECT_LE(total, std::uintmax_t{8} << 20);
}

/// Checks of one recording, which say its name when they fail.
class RecordedScenario : public testing::TestWithParam<std::string> {};

TEST_P(RecordedScenario, IsWhatItsNameSays) {
  const Result<Trace> trace = read(GetParam());
  ASSERT_TRUE(trace) << to_string(trace.error());
  const Provenance& said = trace->provenance;
  EXPECT_EQ(said.at("executor"), "cuda");
  EXPECT_EQ(said.at("lowering"), "fused");
  EXPECT_EQ(said.at("record_mode"), "node");
  EXPECT_EQ(said.at("verdict"), "race-free");
  EXPECT_TRUE(GetParam().ends_with("-" + said.at("step_mode")));
  const std::string policy = said.at("policy").substr(0, said.at("policy").find(" ("));
  EXPECT_THAT(GetParam(), testing::HasSubstr("-b" + said.at("batch") + "-" + policy + "-" +
                                             said.at("step_mode")));
  EXPECT_EQ(said.at("gradients"), policy == "renaissance-dataflow" ? "separate" : "in_place");
}

TEST_P(RecordedScenario, LostNothingAndKnowsTheTaskOfEverySpan) {
  const Result<Trace> trace = read(GetParam());
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(trace->state, RecordingState::complete);
  for (const Finding& finding : trace->findings) {
    EXPECT_TRUE(finding.severity != Severity::error && finding.severity != Severity::data_loss)
        << finding.name << ": " << finding.message;
  }
  EXPECT_TRUE(trace->untimed.empty());
  for (std::size_t i = 0; i < trace->spans.size(); ++i) {
    const TraceTask& task = trace->tasks[trace->spans.task[i]];
    ASSERT_NE(task.op_kind, "UNATTRIBUTED") << task.name;
  }
  // What the proof and predictions read.
  for (const TraceTask& task : trace->tasks) {
    EXPECT_TRUE(!task.policy_lane || !task.accesses.empty()) << task.name;
  }
}

TEST_P(RecordedScenario, HasAtLeastFiveTimedStepsWithAndWithoutRecording) {
  const Result<Trace> trace = read(GetParam());
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_GE(trace->steps.size(), 7U);  // two that warm up, five timed ones at least
  const std::vector<MetricValue> metrics = compute_metrics(*trace);
  for (const char* tag : {"step/time", "probe/untraced_step", "probe/slowdown"}) {
    const MetricValue* metric = find_metric(metrics, tag);
    ASSERT_NE(metric, nullptr) << tag;
    EXPECT_TRUE(metric->known()) << tag << ": " << metric->reason;
  }
}

INSTANTIATE_TEST_SUITE_P(All, RecordedScenario, testing::ValuesIn(expected_names()),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace quintet
