// The search's form of a step says what a prediction of the whole plan says, to the bit.
#include "scenarios/lab/mapped_step.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

#include "profiler/whatif/prediction.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/lab/mapping_moves.h"
#include "scenarios/lab/step_bound.h"
#include "tests/scenarios/lab/lab_recording.h"

namespace quintet::test {
namespace {

struct OnRecording : testing::TestWithParam<const char*> {};

TEST_P(OnRecording, PredictsEveryComputedPolicyAsTheWholePlanDoes) {
  const LabRecording lab = lab_recording(GetParam());
  for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
    auto step = MappedStep::of(lab.run, lab.costs, gradients);
    ASSERT_TRUE(step) << to_string(step.error());
    const StepKnobs knobs{gradients, StepMode::whole_step};
    for (const ComputedPolicy& computed : computed_catalog()) {
      const auto policy =
          compute_policy(computed, lab.run.input(), weights_of(lab.run.input(), lab.costs), knobs);
      ASSERT_TRUE(policy) << to_string(policy.error());
      const auto plan = lab.run.plan(*policy);
      ASSERT_TRUE(plan) << to_string(plan.error());
      const auto mapping = mapping_of(*plan, step->dag());
      ASSERT_TRUE(mapping) << to_string(mapping.error());
      const auto predicted = predict_step(*plan, lab.costs);
      ASSERT_TRUE(predicted) << to_string(predicted.error());
      EXPECT_DOUBLE_EQ(step->step_ns(*mapping), predicted->step_ns)
          << computed.name << " " << name_of(gradients);
    }
  }
}

TEST_P(OnRecording, PredictsRandomMappingsAsTheWholePlanDoes) {
  const LabRecording lab = lab_recording(GetParam());
  auto step = MappedStep::of(lab.run, lab.costs, GradientMode::separate);
  ASSERT_TRUE(step) << to_string(step.error());
  const std::vector<StreamKind> streams = {StreamKind::COMP_1, StreamKind::COMP_2,
                                           StreamKind::COMP_3, StreamKind::UPDATE};
  MappingMoves moves(step->dag(), streams, {});
  SearchRandom random(3);
  StepMapping mapping = one_stream(step->dag());
  for (int round = 0; round < 4; ++round) {
    for (int move = 0; move < 300; ++move)
      moves.move(mapping, random);
    const auto policy = policy_of(mapping, step->dag(), lab.run.input().tasks, {"random", "", {}});
    ASSERT_TRUE(policy) << to_string(policy.error());
    const auto plan = lab.run.plan(*policy);
    ASSERT_TRUE(plan) << to_string(plan.error());
    const auto predicted = predict_step(*plan, lab.costs);
    ASSERT_TRUE(predicted) << to_string(predicted.error());
    EXPECT_DOUBLE_EQ(step->step_ns(mapping), predicted->step_ns);
    const auto proof = prove(*plan);
    ASSERT_TRUE(proof) << to_string(proof.error());
    EXPECT_TRUE(proof->race_free());
  }
}

TEST_P(OnRecording, IsNeverFasterThanItsBound) {
  const LabRecording lab = lab_recording(GetParam());
  auto step = MappedStep::of(lab.run, lab.costs, GradientMode::separate);
  ASSERT_TRUE(step) << to_string(step.error());
  const StepBound bound = step_bound(*step, 0);
  for (const ComputedPolicy& computed : computed_catalog()) {
    const StepMapping mapping = computed.map(step->dag());
    EXPECT_GE(step->step_ns(mapping), bound.ns() * (1 - 1e-9));
  }
}

INSTANTIATE_TEST_SUITE_P(Recorded, OnRecording,
                         testing::Values("mlp-b128-serial-whole_step",
                                         "resnet18-b256-serial-whole_step",
                                         "resnet50-b8-renaissance-dataflow-whole_step",
                                         "vgg16bn-b128-serial-event_sync"),
                         [](const auto& name) {
                           std::string text = name.param;
                           for (char& c : text)
                             if (c == '-') c = '_';
                           return text;
                         });

TEST(MappedStep, SaysThatACircleNeverEnds) {
  std::vector<DagNode> nodes(2);
  MappedStep step(StepDag(nodes, {{0, 1}}), std::vector<MappedTask>(2), DeviceModel{}, {});
  StepMapping reversed;
  reversed.streams.assign(2, StreamKind::COMP_1);
  reversed.order = {1, 0};
  EXPECT_EQ(step.step_ns(reversed), std::numeric_limits<double>::infinity());
}

TEST(MappedStep, RefusesAStepOfSeveralMicroBatches) {
  Scenario scenario = find_scenario("generated-mlp").value();
  scenario.micro_batches = 2;
  const auto run = Replanner::of_scenario(scenario);
  ASSERT_TRUE(run) << to_string(run.error());
  const auto step = MappedStep::of(*run, CostModel{}, GradientMode::separate);
  ASSERT_FALSE(step);
  EXPECT_NE(step.error().message.find("micro-batches"), std::string::npos);
}

TEST(MappedStep, CountsTheLargestScratchOfEachStream) {
  std::vector<MappedTask> tasks(3);
  tasks[0].workspace_bytes = 640;
  tasks[1].workspace_bytes = 128;
  tasks[2].workspace_bytes = 64;
  const MappedStep step(StepDag(std::vector<DagNode>(3), {}), tasks, DeviceModel{}, {});
  using enum StreamKind;
  EXPECT_EQ(step.workspace_bytes(std::vector{COMP_1, COMP_1, COMP_1}), 640U);
  EXPECT_EQ(step.workspace_bytes(std::vector{COMP_1, COMP_2, COMP_2}), 768U);
}

}  // namespace
}  // namespace quintet::test
