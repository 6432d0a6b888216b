// A plan that went into a recording comes back as it was: the proof says the same of both.
#include "scenarios/verify/recorded_plan.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/capture/plan_to_trace.h"
#include "profiler/trace/trace_reader.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"

namespace quintet::test {
namespace {

std::vector<std::string> texts_of(const ProofReport& proof) {
  std::vector<std::string> texts;
  for (const Race& race : proof.races)
    texts.push_back(race.text + "; " + race.cure);
  for (const SurplusEdge& edge : proof.surplus)
    texts.push_back(edge.text);
  return texts;
}

void expect_same_proof(const ExecutionPlan& plan) {
  const auto back = recorded_plan(trace_of_plan(plan));
  ASSERT_TRUE(back.has_value()) << to_string(back.error());
  EXPECT_EQ(back->accesses, plan.accesses);
  EXPECT_EQ(back->host_tasks, plan.host_tasks);
  EXPECT_EQ(back->programs.size(), plan.programs.size());
  EXPECT_EQ(back->graphs.size(), plan.graphs.size());
  const auto wanted = prove(plan);
  const auto proof = prove(*back);
  ASSERT_TRUE(wanted.has_value() && proof.has_value());
  EXPECT_EQ(proof->task_runs, wanted->task_runs);
  EXPECT_EQ(proof->conflicting_pairs, wanted->conflicting_pairs);
  EXPECT_EQ(proof->ordered_pairs, wanted->ordered_pairs);
  EXPECT_EQ(proof->edges, wanted->edges);
  EXPECT_EQ(texts_of(*proof), texts_of(*wanted));
}

TEST(RecordedPlan, IsThePlanThatWasRecorded) {
  for (const char* network : {"mlp", "lenet5", "resnet18-twin"}) {
    for (const BuiltinPolicy& builtin : policy_catalog()) {
      StreamPolicy policy = *find_policy(std::string(builtin.name));
      for (const StepMode mode :
           {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
        SCOPED_TRACE(testing::Message() << network << " " << builtin.name << name_of(mode));
        policy.step = mode;
        const auto plan = build_plan(planned_input(network), policy);
        ASSERT_TRUE(plan.has_value());
        expect_same_proof(*plan);
      }
    }
  }
}

TEST(RecordedPlan, KeepsItsRacesWithBytesAndCure) {
  StreamPolicy policy = *find_policy("renaissance-dataflow");
  policy.sync = SyncRule::manual;
  const auto plan = build_plan(planned_input("lenet5"), policy);
  ASSERT_TRUE(plan.has_value());
  ASSERT_FALSE(prove(*plan)->race_free());
  expect_same_proof(*plan);
}

TEST(RecordedPlan, TellsTheBatchesOfAnUpdateApart) {
  for (const std::int32_t micro_batches : {2, 3, 5}) {
    NetworkInput network;
    TrainingSetup setup;
    setup.train_batch = 8;
    setup.train_tail = 4;
    setup.train_steps = 12;
    setup.micro_batches = micro_batches;
    PlanInput input = planned_input("lenet5", network, setup);
    input.micro_batches = micro_batches;
    for (const StepMode mode : {StepMode::event_sync, StepMode::whole_step}) {
      StreamPolicy policy = *find_policy("renaissance-dataflow");
      policy.step = mode;
      const auto plan = build_plan(input, policy);
      ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
      expect_same_proof(*plan);
    }
  }
}

TEST(RecordedPlan, OfEveryRecordedScenarioIsRaceFree) {
  std::size_t proved = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(QUINTET_SOURCE_DIR "/scenarios/recorded")) {
    if (entry.path().extension() != ".gz") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const auto trace = read_trace(entry.path().string());
    ASSERT_TRUE(trace.has_value()) << to_string(trace.error());
    auto plan = recorded_plan(*trace);
    ASSERT_TRUE(plan.has_value()) << to_string(plan.error());
    const auto proof = prove(*plan);
    ASSERT_TRUE(proof.has_value()) << to_string(proof.error());
    EXPECT_TRUE(proof->race_free()) << proof->races.front().text;
    EXPECT_GT(proof->conflicting_pairs, 500U);
    ++proved;
  }
  EXPECT_GE(proved, 36U);
}

TEST(RecordedPlan, IsRefusedForWhatOthersRecorded) {
  const auto import = recorded_plan(Trace{});
  ASSERT_FALSE(import.has_value());
  EXPECT_THAT(import.error().message, testing::HasSubstr("no step programs"));
  const auto plan = build_plan(planned_input("mlp"), *find_policy("serial"));
  Trace trace = trace_of_plan(*plan);
  trace.commands.front().kind = "leap";
  const auto strange = recorded_plan(trace);
  ASSERT_FALSE(strange.has_value());
  EXPECT_THAT(strange.error().message, testing::HasSubstr("unknown command \"leap\""));
}

}  // namespace
}  // namespace quintet::test
