// Short runs with an allocation for every tensor: the same bits as in one allocation. Under
// compute-sanitizer (tests/sanitize_gpu.sh) they show what one allocation hides.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>

#include "runtime/exec/cuda_backend.h"
#include "tests/runtime/exec/runtime_cases.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

std::shared_ptr<CudaBackend> open_backend(ArenaMode memory) {
  auto backend = CudaBackend::open(PlanSearch::first, {}, memory);
  EXPECT_TRUE(backend) << to_string(backend.error());
  return std::shared_ptr<CudaBackend>(std::move(*backend));
}

/// A full batch and a tail, in training and in evaluation, and every place that a batch can have in
/// an update.
TinyRun shortened(TinyRun run) {
  run.train_samples = run.batch + 2;
  run.test_samples = run.batch + 2;
  run.train_steps = std::max<std::int64_t>(2, run.micro_batches);
  return run;
}

class CudaGuardedMemory : public GpuTest, public testing::WithParamInterface<RuntimeCase> {};

TEST_P(CudaGuardedMemory, GivesTheBitsOfOneAllocation) {
  const TinyRun run = shortened(GetParam().run);
  const auto in_one = open_backend(ArenaMode::one_allocation);
  const auto apart = open_backend(ArenaMode::guarded);
  for (const StepMode mode : {StepMode::whole_step, StepMode::event_sync}) {
    SCOPED_TRACE(name_of(mode));
    const StreamPolicy policy =
        policy_with("renaissance-dataflow", SyncRule::dataflow, GradientMode::separate, mode);
    const Bits wanted = run_on_backend(*prepare_tiny(run, policy, in_one));
    const Bits had = run_on_backend(*prepare_tiny(run, policy, apart));
    ASSERT_EQ(apart->plans().hash(), in_one->plans().hash()) << "other library plans: other bits";
    for (const double loss : had.losses)
      ASSERT_TRUE(std::isfinite(loss));
    ASSERT_EQ(had.losses, wanted.losses);
    ASSERT_TRUE(had.weights == wanted.weights);
  }
}

TEST_P(CudaGuardedMemory, GivesTheSameBitsWhateverUnwrittenMemoryHolds) {
  const TinyRun run = shortened(GetParam().run);
  const auto zeros = open_backend(ArenaMode::one_allocation);
  const auto poisoned = open_backend(ArenaMode::poisoned);
  for (const StepMode mode : {StepMode::whole_step, StepMode::event_sync}) {
    SCOPED_TRACE(name_of(mode));
    const StreamPolicy policy =
        policy_with("renaissance-dataflow", SyncRule::dataflow, GradientMode::separate, mode);
    const Bits wanted = run_on_backend(*prepare_tiny(run, policy, zeros));
    const Bits had = run_on_backend(*prepare_tiny(run, policy, poisoned));
    ASSERT_EQ(poisoned->plans().hash(), zeros->plans().hash()) << "other library plans: other bits";
    ASSERT_EQ(had.losses, wanted.losses);
    ASSERT_TRUE(had.weights == wanted.weights);
  }
}

/// The whole run in small graphs without branches, one after the other: what a tool that holds memory
/// for every launch in flight can follow. Every kernel of the other tests is in it.
TEST_P(CudaGuardedMemory, TrainsOnOneStreamInSmallGraphs) {
  const StreamPolicy policy =
      policy_with("serial", SyncRule::dataflow, GradientMode::separate, StepMode::host_sync);
  const Bits had = run_on_backend(
      *prepare_tiny(shortened(GetParam().run), policy, open_backend(ArenaMode::guarded)));
  ASSERT_FALSE(had.losses.empty());
  for (const double loss : had.losses)
    ASSERT_TRUE(std::isfinite(loss));
}

INSTANTIATE_TEST_SUITE_P(Twins, CudaGuardedMemory, testing::ValuesIn(runtime_cases()),
                         [](const auto& twin) { return test_name(twin.param); });

}  // namespace
}  // namespace quintet::test
