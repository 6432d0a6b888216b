// Policies drawn at random, those that the proof accepts, on the GPU: the losses and weights of
// `serial` to the bit, in each lowering.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <memory>
#include <tuple>
#include <utility>

#include "runtime/exec/cuda_backend.h"
#include "tests/runtime/exec/mapped_runs.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/random_sessions.h"

namespace quintet::test {
namespace {

/// A hundred policies a network, over both lowerings, in parts that end in seconds each.
constexpr int kParts = 5;
constexpr int kPolicies = 10;

class CudaRandomPolicies : public GpuTest,
                           public testing::WithParamInterface<std::tuple<MappedRun, int>> {};

TEST_P(CudaRandomPolicies, GiveTheBitsOfSerialAfterFiftySteps) {
  const auto& [mapped, part] = GetParam();
  auto opened = CudaBackend::open(PlanSearch::first, {});
  ASSERT_TRUE(opened) << to_string(opened.error());
  const std::shared_ptr<CudaBackend> backend = std::move(*opened);
  const StreamPolicy serial =
      policy_with("serial", SyncRule::dataflow, GradientMode::separate, StepMode::host_sync);
  const Bits reference = run_on_backend(*prepare_tiny(mapped.run, serial, backend));
  ASSERT_GE(reference.losses.size(), 50U);
  for (const double loss : reference.losses)
    ASSERT_TRUE(std::isfinite(loss));
  RandomSessions drawn(mapped.run, 1000 * static_cast<std::uint64_t>(part), backend);
  while (drawn.counts().accepted < kPolicies) {
    const auto session = drawn.next();
    ASSERT_NE(session, nullptr) << drawn.summary();
    const Bits bits = run_on_backend(*session);
    ASSERT_EQ(bits.losses, reference.losses) << save_policy(drawn.policy());
    ASSERT_TRUE(bits.weights == reference.weights) << save_policy(drawn.policy());
  }
  std::printf("%s, part %d: %s\n", mapped.name.c_str(), part, drawn.summary().c_str());
}

INSTANTIATE_TEST_SUITE_P(Networks, CudaRandomPolicies,
                         testing::Combine(testing::ValuesIn(mapped_runs()),
                                          testing::Range(0, kParts)),
                         [](const auto& tested) {
                           return fmt::format("{}_{}", std::get<0>(tested.param).name,
                                              std::get<1>(tested.param));
                         });

}  // namespace
}  // namespace quintet::test
