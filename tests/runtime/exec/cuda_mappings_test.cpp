// Fifty steps on the GPU give the same bits under every race-free mapping, on five streams and on
// one, in each lowering.
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/exec/cuda_backend.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/exec/mapped_runs.h"
#include "tests/support/gpu_fixture.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

/// The policy with every task and every launch on COMP_1.
StreamPolicy on_one_stream(StreamPolicy policy) {
  for (auto& [kind, rule] : policy.ops)
    rule.stream = StreamKind::COMP_1;
  for (auto& [part, rule] : policy.parts)
    rule.stream = StreamKind::COMP_1;
  for (LayerRule& rule : policy.layers)
    rule.stream = StreamKind::COMP_1;
  for (auto& [graph, rule] : policy.subgraphs)
    rule.stream = StreamKind::COMP_1;
  return policy;
}

/// Every race-free built-in policy under each rule, place of gradients and step mode, as it is and on
/// one stream.
std::vector<StreamPolicy> mappings() {
  std::vector<StreamPolicy> all;
  for (const BuiltinPolicy& built_in : policy_catalog()) {
    const std::string name(built_in.name);
    if (find_policy(name).value().sync == SyncRule::adjacent) continue;  // that rule forgets waits
    for (const SyncRule rule : {SyncRule::adjacent_conflicts, SyncRule::dataflow}) {
      for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
        for (const StepMode mode :
             {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
          all.push_back(policy_with(name, rule, gradients, mode));
          all.push_back(on_one_stream(all.back()));
        }
      }
    }
  }
  return all;
}

class CudaMappings : public GpuTest, public testing::WithParamInterface<MappedRun> {};

TEST_P(CudaMappings, GiveTheSameBitsAfterFiftySteps) {
  auto opened = CudaBackend::open(PlanSearch::first, {});
  ASSERT_TRUE(opened) << to_string(opened.error());
  const std::shared_ptr<CudaBackend> backend = std::move(*opened);
  Bits reference;
  int compared = 0;
  for (const StreamPolicy& policy : mappings()) {
    const auto session = prepare_tiny(GetParam().run, policy, backend);
    const auto proof = prove(session->plan());
    ASSERT_TRUE(proof) << to_string(proof.error());
    ASSERT_TRUE(proof->race_free()) << policy.name;
    const Bits bits = run_on_backend(*session);
    if (compared == 0) reference = bits;
    SCOPED_TRACE(policy.name + " " + std::string(name_of(policy.sync)) + " " +
                 std::string(name_of(policy.gradients)) + " " + std::string(name_of(policy.step)));
    ASSERT_EQ(bits.losses, reference.losses);
    ASSERT_TRUE(bits.weights == reference.weights);
    ++compared;
  }
  EXPECT_EQ(compared, 3 * 2 * 2 * 3 * 2);
  EXPECT_GE(reference.losses.size(), 50U);
}

INSTANTIATE_TEST_SUITE_P(Networks, CudaMappings, testing::ValuesIn(mapped_runs()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace quintet::test
