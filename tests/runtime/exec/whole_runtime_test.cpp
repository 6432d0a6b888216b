// Every network twin, optimizer and precision: proved race-free, and the same bits whatever the mapping.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "runtime/host/openmp_pin.h"
#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/linear_extension.h"
#include "tests/runtime/exec/runtime_cases.h"
#include "tests/support/ordered_run.h"
#include "tests/support/sanitizers.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

class WholeRuntime : public testing::TestWithParam<RuntimeCase> {};

/// A sanitizer sees a fourth of the mappings of each case, each mapping in a fourth of the cases.
bool is_left_out(const RuntimeCase& one, std::size_t mapping) {
  if (!kAddressSanitizer && !kThreadSanitizer) return false;
  const auto cases = runtime_cases();
  const auto place = std::find_if(cases.begin(), cases.end(),
                                  [&](const RuntimeCase& each) { return each.name == one.name; });
  return (mapping + static_cast<std::size_t>(place - cases.begin())) % 4 != 0;
}

TEST_P(WholeRuntime, EveryRaceFreeMappingGivesTheSameBits) {
  const TinyRun& run = GetParam().run;
  const auto reference_session = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::in_place, StepMode::host_sync));
  const Bits reference = run_on_streams(*reference_session);
  for (const double loss : reference.losses)
    ASSERT_TRUE(std::isfinite(loss));
  std::size_t mapping = 0;
  for (const std::string policy :
       {"serial", "renaissance-as-published", "renaissance", "renaissance-dataflow"}) {
    for (const SyncRule rule :
         {SyncRule::adjacent, SyncRule::adjacent_conflicts, SyncRule::dataflow}) {
      for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
        for (const StepMode mode :
             {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
          if (is_left_out(GetParam(), mapping++)) continue;
          SCOPED_TRACE(policy + " " + std::string(name_of(rule)) + " " +
                       std::string(name_of(gradients)) + " " + std::string(name_of(mode)));
          const auto session = prepare_tiny(run, policy_with(policy, rule, gradients, mode));
          const auto proof = prove(session->plan());
          ASSERT_TRUE(proof) << to_string(proof.error());
          if (!proof->race_free()) {
            EXPECT_EQ(rule, SyncRule::adjacent)
                << proof->races.front().text << "; " << proof->races.front().cure;
            continue;
          }
          ASSERT_TRUE(run_on_streams(*session) == reference);
        }
      }
    }
  }
}

TEST_P(WholeRuntime, AnyOrderOfTheProvedGraphGivesTheSameBits) {
  TinyRun run = GetParam().run;
  run.train_steps = 6;
  const auto reference_session = prepare_tiny(
      run, policy_with("serial", SyncRule::dataflow, GradientMode::in_place, StepMode::host_sync));
  const Bits reference = run_on_streams(*reference_session);
  pin_openmp_to_one_thread();
  for (const StepMode mode : {StepMode::event_sync, StepMode::whole_step}) {
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      const auto session = prepare_tiny(
          run, policy_with("renaissance-dataflow", SyncRule::dataflow, gradients, mode));
      const auto order = unroll(session->plan(), sequence_of(session->schedule()));
      ASSERT_TRUE(order) << to_string(order.error());
      for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const ExtensionMode kind = seed == 0 ? ExtensionMode::latest_first : ExtensionMode::random;
        ASSERT_TRUE(run_in_order(*session, *order, linear_extension(*order, kind, seed)) ==
                    reference)
            << name_of(mode) << " " << name_of(gradients) << " seed " << seed;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Twins, WholeRuntime, testing::ValuesIn(runtime_cases()),
                         [](const auto& twin) { return test_name(twin.param); });

}  // namespace
}  // namespace quintet::test
