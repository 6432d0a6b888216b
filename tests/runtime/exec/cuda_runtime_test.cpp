// Whole runs on the GPU: the host's losses within bounds, the same bits under every race-free
// mapping, and captured graphs that hold what was proved.
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "runtime/exec/captured_proof.h"
#include "runtime/exec/cuda_backend.h"
#include "runtime/exec/cuda_executor.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/exec/runtime_cases.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

/// One backend for all sessions of a test: plans are pinned in it.
std::shared_ptr<CudaBackend> open_backend() {
  auto backend = CudaBackend::open(PlanSearch::first, {});
  EXPECT_TRUE(backend) << to_string(backend.error());
  return std::shared_ptr<CudaBackend>(std::move(*backend));
}

Bits run_on_gpu(TrainingSession& session) {
  StepIo io = session.make_io();
  const auto executor = session.make_executor(io, nullptr);
  const std::int64_t steps =
      StepRunner(*executor, nullptr).run(session.schedule(), [](std::int64_t, StepRun&) {}, {});
  Bits bits;
  for (std::int64_t step = 0; step < steps; ++step)
    bits.losses.push_back(io.result(step).loss);
  bits.weights = session.weights(*executor);
  return bits;
}

StreamPolicy plain() {
  return policy_with("serial", SyncRule::dataflow, GradientMode::in_place, StepMode::whole_step);
}

class CudaRuntime : public GpuTest, public testing::WithParamInterface<RuntimeCase> {};

/// The first losses differ by rounding alone; later ones by what training makes of it.
TEST_P(CudaRuntime, HasTheHostsLosses) {
  const TinyRun& run = GetParam().run;
  const auto host = prepare_tiny(run, plain());
  const auto gpu = prepare_tiny(run, plain(), open_backend());
  const Bits wanted = run_on_streams(*host);
  const Bits had = run_on_gpu(*gpu);
  ASSERT_EQ(had.losses.size(), wanted.losses.size());
  const bool amp = run.precision == Precision::amp;
  // In AMP a rounding apart grows within a few steps of these tiny, fast-learning runs.
  const std::size_t compared = amp ? 5 : wanted.losses.size();
  for (std::size_t step = 0; step < wanted.losses.size(); ++step) {
    ASSERT_TRUE(std::isfinite(had.losses[step])) << "step " << step;
    if (step >= compared) continue;
    const double bound = (amp ? 2e-2 : 2e-4) * std::max(1.0, std::abs(wanted.losses[step]));
    EXPECT_NEAR(had.losses[step], wanted.losses[step], bound) << "step " << step;
  }
}

TEST_P(CudaRuntime, GivesTheSameBitsUnderEveryRaceFreeMapping) {
  const TinyRun& run = GetParam().run;
  const auto backend = open_backend();
  const Bits reference = run_on_gpu(*prepare_tiny(run, plain(), backend));
  for (const std::string policy : {"serial", "renaissance", "renaissance-dataflow"}) {
    for (const SyncRule rule : {SyncRule::adjacent_conflicts, SyncRule::dataflow}) {
      for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
        for (const StepMode mode :
             {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
          SCOPED_TRACE(policy + " " + std::string(name_of(rule)) + " " +
                       std::string(name_of(gradients)) + " " + std::string(name_of(mode)));
          const auto session =
              prepare_tiny(run, policy_with(policy, rule, gradients, mode), backend);
          const Bits bits = run_on_gpu(*session);
          ASSERT_EQ(bits.losses, reference.losses);
          ASSERT_TRUE(bits.weights == reference.weights);
        }
      }
    }
  }
}

TEST_P(CudaRuntime, GivesTheSameBitsTwentyTimes) {
  const auto session = prepare_tiny(GetParam().run,
                                    policy_with("renaissance-dataflow", SyncRule::dataflow,
                                                GradientMode::separate, StepMode::whole_step),
                                    open_backend());
  const Bits reference = run_on_gpu(*session);
  for (int repeat = 1; repeat < 20; ++repeat)
    ASSERT_TRUE(run_on_gpu(*session) == reference) << "repeat " << repeat;
}

TEST_P(CudaRuntime, CapturesGraphsThatOrderEveryConflictingPair) {
  const auto backend = open_backend();
  for (const std::string policy :
       {"serial", "renaissance-as-published", "renaissance", "renaissance-dataflow"}) {
    for (const StepMode mode : {StepMode::event_sync, StepMode::whole_step}) {
      StreamPolicy mapping = *find_policy(policy);
      mapping.step = mode;
      const auto session = prepare_tiny(GetParam().run, mapping, backend);
      const auto planned = prove(session->plan());
      ASSERT_TRUE(planned) << to_string(planned.error());
      if (!planned->race_free()) continue;
      StepIo io = session->make_io();
      const auto executor = session->make_executor(io, nullptr);
      const auto& captured = dynamic_cast<const CudaExecutor&>(*executor).captured();
      ASSERT_EQ(captured.size(), session->plan().graphs.size());
      for (const auto& [key, tasks] : captured) {
        const CapturedProof proof = prove_captured(session->plan(), tasks);
        EXPECT_TRUE(proof.findings.empty())
            << policy << " " << session->plan().name(key) << ": " << proof.findings.front();
        EXPECT_GE(proof.nodes, tasks.tasks.size());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Twins, CudaRuntime, testing::ValuesIn(runtime_cases()),
                         [](const auto& twin) { return test_name(twin.param); });

using CudaResidentInput = GpuTest;

TEST_F(CudaResidentInput, TrainsOnTwoBatchesInEveryStepMode) {
  TinyRun run{.network = "lenet5", .train_steps = 20};
  run.resident_input = true;
  const auto backend = open_backend();
  const Bits reference = run_on_gpu(*prepare_tiny(run, plain(), backend));
  EXPECT_LT(reference.losses[10], reference.losses[0]);
  for (const StepMode mode : {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
    const auto session = prepare_tiny(
        run, policy_with("renaissance", SyncRule::dataflow, GradientMode::separate, mode), backend);
    EXPECT_TRUE(run_on_gpu(*session) == reference) << name_of(mode);
  }
}

}  // namespace
}  // namespace quintet::test
