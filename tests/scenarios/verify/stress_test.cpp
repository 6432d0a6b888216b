// Real steps under stress: a proved plan keeps its bits, a plan with races does not.
#include "scenarios/verify/stress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/policy/hazard_proof.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

TinyRun small_run(const std::string& network) {
  return {.network = network, .batch = 4, .train_samples = 22, .test_samples = 6, .train_steps = 6};
}

StressReport stressed(const TrainingSession& session, int runs) {
  HostBackend backend;
  auto report = stress(session, backend, nullptr, {.runs = runs, .longest_delay_ns = 50'000});
  EXPECT_TRUE(report.has_value());
  return std::move(*report);
}

TEST(Stress, KeepsTheBitsOfAProvedPlan) {
  for (const char* network : {"mlp", "lenet5"}) {
    for (const StepMode mode : {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
      const auto session = prepare_tiny(
          small_run(network),
          policy_with("renaissance-dataflow", SyncRule::dataflow, GradientMode::in_place, mode));
      ASSERT_TRUE(prove(session->plan())->race_free());
      const StressReport report = stressed(*session, 9);
      EXPECT_TRUE(report.same_bits()) << report.differences.front().tensor;
      EXPECT_EQ(report.orders, 5);
      EXPECT_EQ(report.delayed, 4);
      EXPECT_GE(report.steps, 8);
    }
  }
}

TEST(Stress, ShowsStepAndTensorThatARaceChanged) {
  const auto session =
      prepare_tiny(small_run("lenet5"), policy_with("renaissance-dataflow", SyncRule::manual,
                                                    GradientMode::in_place, StepMode::host_sync));
  ASSERT_FALSE(prove(session->plan())->race_free());
  const StressReport report = stressed(*session, 5);
  EXPECT_FALSE(report.same_bits());
  ASSERT_FALSE(report.differences.empty());
  EXPECT_EQ(report.differences.front().run, "order 0") << "as late as possible goes first";
  bool step_named = false;
  bool tensor_named = false;
  for (const StressDifference& found : report.differences) {
    step_named |= found.step.has_value() && found.tensor == "loss";
    tensor_named |= !found.step && found.bytes > 0 && found.bytes <= found.of_bytes;
  }
  EXPECT_TRUE(step_named);
  EXPECT_TRUE(tensor_named);
}

TEST(Stress, ComparesWithSerialWhereOrdersCannotBeChosen) {
  const TinyRun run = small_run("mlp");
  const auto backend = std::make_shared<HostBackend>();
  const auto session = prepare_tiny(run,
                                    policy_with("renaissance", SyncRule::adjacent_conflicts,
                                                GradientMode::separate, StepMode::event_sync),
                                    backend);
  const auto serial = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::separate, StepMode::event_sync),
      backend);
  const auto report =
      stress(*session, *backend, serial.get(), {.runs = 4, .longest_delay_ns = 50'000});
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->delayed, 4);
  EXPECT_TRUE(report->same_bits());
  EXPECT_THAT(report->reference, testing::HasSubstr("serial"));
}

}  // namespace
}  // namespace quintet::test
