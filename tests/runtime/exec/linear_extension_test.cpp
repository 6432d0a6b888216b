// Any total order that the proved happens-before allows gives the same bits as the run on streams.
#include "runtime/policy/linear_extension.h"

#include <gtest/gtest.h>

#include "runtime/host/openmp_pin.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/order_graph.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

/// The whole run as one sequence: prologue, its steps, epilogue.
StepSequence sequence_of(const RunSchedule& schedule) {
  StepSequence sequence;
  const StepVariant first = schedule.front().variant;
  sequence.push_back({StepPhase::prologue, first.slot, kAnyShape, first.shape});
  for (const ScheduledStep& step : schedule)
    sequence.push_back(step.variant);
  const BufferSlot slot = schedule.size() % 2 == 0 ? BufferSlot::A : BufferSlot::B;
  sequence.push_back({StepPhase::epilogue, slot, kAnyShape, kAnyShape});
  return sequence;
}

/// Runs the tasks one by one in the order given.
Bits run_in_order(const TrainingSession& session, const OrderGraph& order,
                  const std::vector<std::uint32_t>& nodes) {
  StepIo io = session.make_io();
  const auto executor = session.make_executor(io, nullptr);
  for (const std::uint32_t node : nodes) {
    const OrderNode& run = order.nodes[node];
    if (run.task && run.step >= 0) executor->run_inline(*run.task, run.step);
  }
  Bits bits;
  for (std::size_t step = 0; step < session.schedule().size(); ++step) {
    bits.losses.push_back(io.result(static_cast<std::int64_t>(step)).loss);
  }
  bits.weights = session.weights(*executor);
  return bits;
}

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
