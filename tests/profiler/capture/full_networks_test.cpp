// The full networks recorded on a GPU under every policy: all work is given to its task and policy stream, and is
// what the task launches alone.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <tuple>

#include "runtime/network/scenario_catalog.h"
#include "runtime/network/scenario_spec.h"
#include "runtime/policy/computed_catalog.h"
#include "runtime/policy/policy_catalog.h"
#include "scenarios/lab/replanner.h"
#include "tests/profiler/capture/recorded_run.h"
#include "tests/support/gpu_fixture.h"

namespace quintet::test {
namespace {

/// Scenario, policy, step mode.
using Run = std::tuple<std::string, std::string, StepMode>;

class FullNetworks : public GpuTest, public testing::WithParamInterface<Run> {
 protected:
  static std::unique_ptr<TrainingSession> session() {
    const auto& [name, policy_name, mode] = GetParam();
    Scenario scenario = find_scenario(name).value();
    scenario.precision = Precision::amp;
    scenario.lowering = Lowering::fused;
    scenario.batch = 8;
    scenario.steps = 10;
    scenario.resident_input = true;
    const auto run = Replanner::of_scenario(scenario).value();
    StreamPolicy policy =
        find_policy(policy_name, run.input(), estimated_weights(run.input().tasks),
                    {GradientMode::separate, mode})
            .value();
    policy.gradients = GradientMode::separate;
    policy.step = mode;
    const auto data = open_data(scenario).value();
    auto prepared = TrainingSession::prepare(spec_of(scenario, shape_of(*data)).value(), data,
                                             policy, open_recorded_backend());
    EXPECT_TRUE(prepared) << to_string(prepared.error());
    return std::move(*prepared);
  }
};

TEST_P(FullNetworks, AreRecordedWholeUnderEveryPolicy) {
  const auto run = session();
  const auto alone = names_alone(*run);
  const Recorded recorded = record(*run, DeviceRecording::node);
  expect_all_attributed(recorded);
  EXPECT_EQ(recorded.counts.unattributed, 0);
  const auto in_step = names_in_step(recorded.trace, 6);
  ASSERT_GT(in_step.size(), 12U);
  for (const auto& [task, names] : in_step)
    EXPECT_EQ(names, alone.at(task)) << recorded.trace.tasks[task].name;
}

std::string name_of_run(const testing::TestParamInfo<Run>& info) {
  const auto& [scenario, policy, mode] = info.param;
  std::string name = scenario + "_" + policy + "_" + std::string(name_of(mode));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Recorded, FullNetworks,
    testing::Combine(testing::Values("generated-mlp-512", "generated-lenet", "generated-resnet18",
                                     "generated-resnet50", "generated-vgg16bn"),
                     testing::Values("serial", "renaissance-as-published", "renaissance",
                                     "renaissance-dataflow", "nimble", "opara", "critical-path",
                                     "heft", "ooo-wgrad"),
                     testing::Values(StepMode::whole_step, StepMode::event_sync)),
    name_of_run);

}  // namespace
}  // namespace quintet::test
