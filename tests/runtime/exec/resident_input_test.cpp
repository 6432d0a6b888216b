// Runs on resident input are as reproducible and as free of races as others.
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "runtime/network/run_schedule.h"
#include "runtime/policy/hazard_proof.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

/// LeNet-5 over what would be three epochs with tails.
TinyRun resident_run() {
  TinyRun run{.batch = 8, .train_samples = 28, .test_samples = 20, .train_steps = 12};
  run.resident_input = true;
  return run;
}

class ResidentInputRun : public testing::TestWithParam<StepMode> {
 protected:
  static StreamPolicy policy(StepMode mode) {
    return policy_with("renaissance-dataflow", SyncRule::dataflow, GradientMode::separate, mode);
  }
};

TEST_P(ResidentInputRun, IsFreeOfRaces) {
  for (const std::string name : {"serial", "renaissance", "renaissance-dataflow"}) {
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      const auto session = prepare_tiny(
          resident_run(), policy_with(name, SyncRule::dataflow, gradients, GetParam()));
      const auto proof = prove(session->plan(), sequence_of(session->schedule()));
      ASSERT_TRUE(proof) << to_string(proof.error());
      EXPECT_TRUE(proof->race_free()) << name << ": " << proof->races.front().text;
      EXPECT_GT(proof->conflicting_pairs, 0U);
    }
  }
}

TEST_P(ResidentInputRun, GivesTheBitsOfEveryOtherStepMode) {
  const auto reference = prepare_tiny(
      resident_run(),
      policy_with("serial", SyncRule::dataflow, GradientMode::in_place, StepMode::host_sync));
  const auto session = prepare_tiny(resident_run(), policy(GetParam()));
  const Bits bits = run_on_streams(*session);
  ASSERT_EQ(bits.losses.size(), session->schedule().size());
  EXPECT_TRUE(bits == run_on_streams(*reference));
}

TEST_P(ResidentInputRun, TrainsOnTheBatchThatItsSlotHolds) {
  TinyRun run = resident_run();
  run.learning_rate = 0;  // then a loss says which batch it is of
  const auto resident = prepare_tiny(run, policy(GetParam()));
  run.resident_input = false;
  const auto transferred = prepare_tiny(run, policy(GetParam()));
  const std::vector<double> losses = run_on_streams(*resident).losses;
  const std::vector<double> all = run_on_streams(*transferred).losses;
  ASSERT_EQ(losses.size(), 12U);
  EXPECT_NE(all[0], all[1]);
  for (std::size_t step = 0; step < losses.size(); ++step)
    EXPECT_EQ(losses[step], all[step % 2]) << "step " << step;
}

INSTANTIATE_TEST_SUITE_P(Modes, ResidentInputRun,
                         testing::Values(StepMode::host_sync, StepMode::event_sync,
                                         StepMode::whole_step),
                         [](const auto& mode) { return std::string(name_of(mode.param)); });

}  // namespace
}  // namespace quintet::test
