// Every race-free combination of policy, rule, gradients and step mode gives the same losses and
// weights to the bit.
#include <array>
#include <gtest/gtest.h>
#include <string>

#include "runtime/policy/hazard_proof.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

constexpr std::array kPolicies = {"serial", "renaissance-as-published", "renaissance",
                                  "renaissance-dataflow"};
constexpr std::array kRules = {SyncRule::adjacent, SyncRule::adjacent_conflicts,
                               SyncRule::dataflow};
constexpr std::array kGradients = {GradientMode::in_place, GradientMode::separate};
constexpr std::array kModes = {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step};

class Determinism : public testing::TestWithParam<const char*> {};

TEST_P(Determinism, EveryRaceFreeCombinationGivesTheSameBits) {
  const TinyRun run{.network = GetParam()};
  const auto reference_session = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::in_place, StepMode::host_sync));
  const Bits reference = run_on_streams(*reference_session);
  ASSERT_EQ(reference.losses.size(), reference_session->schedule().size());
  ASSERT_LT(reference.losses[49], reference.losses[0]) << "the run does not even learn";
  int compared = 0;
  for (const std::string policy : kPolicies) {
    for (const SyncRule rule : kRules) {
      for (const GradientMode gradients : kGradients) {
        for (const StepMode mode : kModes) {
          SCOPED_TRACE(policy + " " + std::string(name_of(rule)) + " " +
                       std::string(name_of(gradients)) + " " + std::string(name_of(mode)));
          const auto session = prepare_tiny(run, policy_with(policy, rule, gradients, mode));
          const auto proof = prove(session->plan());
          ASSERT_TRUE(proof) << to_string(proof.error());
          if (!proof->race_free()) {
            // Only the article's plain rule may race; what it lacks is the proof's to say.
            EXPECT_EQ(rule, SyncRule::adjacent) << proof->races.front().text;
            continue;
          }
          EXPECT_TRUE(run_on_streams(*session) == reference);
          ++compared;
        }
      }
    }
  }
  EXPECT_GE(compared, 48) << "adjacent+conflicts and dataflow are race-free by construction";
}

TEST_P(Determinism, ARunWithoutItsTailOrEvaluationIsTheSameUpToThere) {
  const StreamPolicy policy = policy_with("renaissance-dataflow", SyncRule::dataflow,
                                          GradientMode::separate, StepMode::event_sync);
  const auto longer = prepare_tiny({.network = GetParam()}, policy);
  const auto shorter =
      prepare_tiny({.network = GetParam(), .test_samples = 0, .train_steps = 5}, policy);
  const Bits all = run_on_streams(*longer);
  const Bits some = run_on_streams(*shorter);
  ASSERT_EQ(some.losses.size(), 5U);
  for (std::size_t step = 0; step < 5; ++step)
    EXPECT_EQ(some.losses[step], all.losses[step]);
}

INSTANTIATE_TEST_SUITE_P(Networks, Determinism, testing::Values("lenet5", "mlp"));

}  // namespace
}  // namespace quintet::test
