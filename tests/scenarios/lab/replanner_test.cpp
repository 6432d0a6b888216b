// A recording planned again: under its own policy it is the recorded_trace plan, task for task, byte for
// byte, wait for wait.
#include "scenarios/lab/replanner.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <stdexcept>

#include "profiler/trace/trace_reader.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet {
namespace {

Trace recorded_trace(const std::string& name) {
  return read_trace(std::string(QUINTET_RECORDED_DIR) + "/" + name + ".qtrace.gz").value();
}

Replanner replanner_of(const Trace& trace) {
  auto replanner = Replanner::of_trace(trace);
  if (!replanner) throw std::runtime_error(to_string(replanner.error()));
  return std::move(*replanner);
}

class EveryRecording : public testing::TestWithParam<std::string> {};

TEST_P(EveryRecording, IsPlannedAgainAsItWas) {
  const Trace trace = recorded_trace(GetParam());
  const Replanner replanner = replanner_of(trace);
  const auto plan = replanner.plan(replanner.policy());
  ASSERT_TRUE(plan) << to_string(plan.error());
  // What the driver did for itself comes after the plan's tasks.
  const auto planned = std::count_if(trace.tasks.begin(), trace.tasks.end(),
                                     [](const TraceTask& task) { return !task.graph.empty(); });
  ASSERT_EQ(plan->accesses.size(), static_cast<std::size_t>(planned));
  for (std::size_t task = 0; task < plan->accesses.size(); ++task)
    EXPECT_EQ(plan->accesses[task], trace.tasks[task].accesses) << trace.tasks[task].name;
  std::map<std::string, const TraceGraph*> graphs;
  for (const TraceGraph& graph : trace.graphs)
    if (!graph.empty) graphs[graph.name] = &graph;
  ASSERT_EQ(plan->graphs.size(), graphs.size());
  for (const auto& [key, graph] : plan->graphs) {
    const TraceGraph& row = *graphs.at(plan->name(key));
    ASSERT_EQ(graph.tasks.size(), row.tasks.size()) << row.name;
    for (std::size_t place = 0; place < row.tasks.size(); ++place) {
      EXPECT_EQ(graph.tasks[place].task.value(), row.tasks[place]) << row.name;
      EXPECT_EQ(lane_of(graph.tasks[place].stream), trace.tasks[row.tasks[place]].policy_lane);
    }
    ASSERT_EQ(graph.edges.size(), row.edges.size()) << row.name;
    for (std::size_t edge = 0; edge < row.edges.size(); ++edge) {
      EXPECT_EQ(graph.edges[edge].from.value(), row.edges[edge].from) << row.name;
      EXPECT_EQ(graph.edges[edge].to.value(), row.edges[edge].to) << row.name;
    }
  }
}

std::vector<std::string> recording_names() {
  std::vector<std::string> names;
  for (const char* network : {"mlp-b128", "resnet18-b256", "resnet50-b8", "vgg16bn-b128"})
    for (const char* run :
         {"serial-whole_step", "renaissance-event_sync", "renaissance-dataflow-whole_step"})
      names.push_back(std::string(network) + "-" + run);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Recorded, EveryRecording, testing::ValuesIn(recording_names()),
                         [](const auto& name) {
                           std::string text = name.param;
                           for (char& c : text)
                             if (c == '-') c = '_';
                           return text;
                         });

TEST(Replanner, ProvesEveryBuiltInPolicyOnARecording) {
  const Replanner replanner = replanner_of(recorded_trace("resnet50-b8-serial-whole_step"));
  for (const BuiltinPolicy& builtin : policy_catalog()) {
    const auto plan = replanner.plan(find_policy(std::string(builtin.name)).value());
    ASSERT_TRUE(plan) << builtin.name << ": " << to_string(plan.error());
    const auto proof = prove(*plan);
    ASSERT_TRUE(proof) << to_string(proof.error());
    EXPECT_TRUE(proof->race_free()) << builtin.name;
  }
}

TEST(Replanner, SaysWhyAnImportCannotBePlanned) {
  Trace trace;
  trace.provenance = {{"source_format", "chrome_json"}, {"executor", "imported"}};
  const auto replanner = Replanner::of_trace(trace);
  ASSERT_FALSE(replanner);
  EXPECT_NE(replanner.error().message.find("import"), std::string::npos);
  EXPECT_FALSE(replanner.error().cure.empty());
}

TEST(Replanner, LooksPastTasksOfNoGraph) {
  Trace trace = recorded_trace("mlp-b128-serial-whole_step");
  TraceTask overhead;
  overhead.name = "overhead/buffer request";
  overhead.op_kind = "HOST_OVERHEAD";
  trace.tasks.push_back(overhead);
  const Replanner replanner = replanner_of(trace);
  EXPECT_EQ(replanner.input().tasks.size(), trace.tasks.size() - 1);
}

TEST(Replanner, RefusesTasksThatAreNotThoseOfTheScenario) {
  Trace trace = recorded_trace("mlp-b128-serial-whole_step");
  trace.tasks.back().name += "x";
  EXPECT_FALSE(Replanner::of_trace(trace));
  trace = recorded_trace("mlp-b128-serial-whole_step");
  trace.tasks.front().bytes += 1;
  EXPECT_FALSE(Replanner::of_trace(trace));
  trace.tasks.pop_back();
  const auto replanner = Replanner::of_trace(trace);
  ASSERT_FALSE(replanner);
  EXPECT_NE(replanner.error().message.find("tasks"), std::string::npos);
}

TEST(Replanner, TakesTheScenarioOfTheRecordingBeforeABuiltInOfThatName) {
  Trace trace = recorded_trace("mlp-b128-serial-whole_step");
  trace.provenance["scenario_toml"] = find_scenario("generated-lenet").value().text;
  EXPECT_FALSE(Replanner::of_trace(trace)) << "LeNet-5 has other tasks";
}

TEST(Replanner, PlansAScenarioThatWasNeverRun) {
  for (const BuiltinScenario& scenario : scenario_catalog()) {
    const auto replanner =
        Replanner::of_scenario(find_scenario(std::string(scenario.name)).value());
    ASSERT_TRUE(replanner) << scenario.name << ": " << to_string(replanner.error());
    EXPECT_TRUE(replanner->plan(replanner->policy())) << scenario.name;
  }
}

}  // namespace
}  // namespace quintet
