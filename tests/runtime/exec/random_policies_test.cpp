// Policies drawn at random: every one that the proof accepts gives the same bits, on streams and in
// any total order that its happens-before allows; over all cases more than a thousand such orders.
#include <cstdio>
#include <gtest/gtest.h>

#include "runtime/host/openmp_pin.h"
#include "runtime/policy/linear_extension.h"
#include "runtime/policy/order_graph.h"
#include "tests/runtime/exec/runtime_cases.h"
#include "tests/support/ordered_run.h"
#include "tests/support/random_sessions.h"
#include "tests/support/sanitizers.h"

namespace quintet::test {
namespace {

constexpr int kPolicies = kAddressSanitizer ? 2 : 8;
constexpr std::uint64_t kOrders = 4;

/// An epoch with its tail, its evaluation, and two steps after them.
TinyRun shortened(TinyRun run) {
  run.train_steps = 8;
  return run;
}

/// Over the number of a case: its policies are drawn by seeds of its own.
class RandomPolicies : public testing::TestWithParam<std::size_t> {};

TEST_P(RandomPolicies, GiveTheSameBitsInEveryOrderThatTheProofAllows) {
  const RuntimeCase tested = runtime_cases()[GetParam()];
  const TinyRun run = shortened(tested.run);
  const auto serial = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::separate, StepMode::host_sync));
  const Bits reference = run_on_streams(*serial);
  pin_openmp_to_one_thread();
  RandomSessions drawn(run, 1000 * GetParam());
  int orders = 0;
  while (drawn.counts().accepted < kPolicies) {
    const auto session = drawn.next();
    ASSERT_NE(session, nullptr) << drawn.summary();
    const auto order = unroll(session->plan(), sequence_of(session->schedule()));
    ASSERT_TRUE(order) << to_string(order.error());
    for (std::uint64_t seed = 0; seed < kOrders; ++seed) {
      const ExtensionMode mode = seed == 0 ? ExtensionMode::latest_first : ExtensionMode::random;
      ASSERT_TRUE(run_in_order(*session, *order, linear_extension(*order, mode, seed)) == reference)
          << "order " << seed << " of\n"
          << save_policy(drawn.policy());
      ++orders;
    }
    ASSERT_TRUE(run_on_streams(*session) == reference) << save_policy(drawn.policy());
  }
  std::printf("%s: %d orders; %s\n", tested.name.c_str(), orders, drawn.summary().c_str());
}

INSTANTIATE_TEST_SUITE_P(Twins, RandomPolicies,
                         testing::Range<std::size_t>(0, runtime_cases().size()),
                         [](const auto& twin) { return test_name(runtime_cases()[twin.param]); });

TEST(RacingPolicies, GiveOtherBitsInSomeOrderOfThoseThatTheyAllow) {
  TinyRun run;
  run.batch = 6;
  run.train_samples = 32;
  run.test_samples = 8;
  run.train_steps = 8;
  const auto serial = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::separate, StepMode::host_sync));
  const Bits reference = run_on_streams(*serial);
  pin_openmp_to_one_thread();
  RandomSessions drawn(run, 1);
  int differing = 0;
  while (drawn.counts().racing < 20) {
    const auto session = drawn.next_racing();
    ASSERT_NE(session, nullptr) << drawn.summary();
    const auto order = unroll(session->plan(), sequence_of(session->schedule()));
    ASSERT_TRUE(order) << to_string(order.error());
    bool same = true;
    for (std::uint64_t seed = 0; seed < kOrders && same; ++seed) {
      const ExtensionMode mode = seed == 0 ? ExtensionMode::latest_first : ExtensionMode::random;
      same = run_in_order(*session, *order, linear_extension(*order, mode, seed)) == reference;
    }
    if (!same) ++differing;
  }
  std::printf("%d of 20 racing policies gave other bits\n", differing);
  EXPECT_GE(differing, 5) << "then equal bits would not say much of the others";
}

TEST(RandomPolicyCases, AreTriedInMoreThanAThousandOrders) {
  EXPECT_GE(runtime_cases().size() * kPolicies * kOrders, kAddressSanitizer ? 250U : 1000U);
}

}  // namespace
}  // namespace quintet::test
