// Any total order that the proved happens-before allows gives the same bits as the run on streams.
#include "runtime/policy/linear_extension.h"

#include <gtest/gtest.h>

#include "runtime/host/openmp_pin.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/order_graph.h"
#include "tests/support/ordered_run.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

class LinearExtensions : public testing::TestWithParam<const char*> {};

TEST_P(LinearExtensions, TwoHundredOrdersOfTheProvedGraphGiveTheSameBits) {
  const TinyRun run{
      .network = GetParam(), .batch = 4, .train_samples = 42, .test_samples = 6, .train_steps = 12};
  const auto reference_session = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::in_place, StepMode::host_sync));
  const Bits reference = run_on_streams(*reference_session);
  pin_openmp_to_one_thread();
  int extensions = 0;
  for (const StepMode mode : {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      const auto session = prepare_tiny(
          run, policy_with("renaissance-dataflow", SyncRule::dataflow, gradients, mode));
      const auto order = unroll(session->plan(), sequence_of(session->schedule()));
      ASSERT_TRUE(order) << to_string(order.error());
      for (std::uint64_t seed = 0; seed < 34; ++seed) {
        const ExtensionMode kind = seed == 0   ? ExtensionMode::latest_first
                                   : seed == 1 ? ExtensionMode::earliest_first
                                               : ExtensionMode::random;
        ASSERT_TRUE(run_in_order(*session, *order, linear_extension(*order, kind, seed)) ==
                    reference)
            << name_of(mode) << " " << name_of(gradients) << " seed " << seed;
        ++extensions;
      }
    }
  }
  EXPECT_GE(extensions, 200);
}

INSTANTIATE_TEST_SUITE_P(Networks, LinearExtensions, testing::Values("lenet5", "mlp"));

}  // namespace
}  // namespace quintet::test
