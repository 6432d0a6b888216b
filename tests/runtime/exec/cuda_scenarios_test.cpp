// The built-in scenarios on the GPU against the host: the losses of their first steps.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <utility>

#include "runtime/exec/cuda_backend.h"
#include "runtime/exec/host_backend.h"
#include "runtime/exec/training_session.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/network/scenario_spec.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/support/gpu_fixture.h"

namespace quintet::test {
namespace {

constexpr std::int64_t kSteps = 20;
/// Images of more rows take the host minutes.
constexpr std::int64_t kMostRows = 32;

/// Network, batch, precision, optimizer and schedule are the scenario's; the images are generated,
/// so that the test needs no files.
Scenario small_part_of(const std::string& name, Lowering lowering) {
  Scenario scenario = find_scenario(name).value();
  scenario.lowering = lowering;
  scenario.steps = kSteps;
  if (scenario.data.dataset == "generated-images") return scenario;
  scenario.data.dataset = "generated-images";
  scenario.data.generated.train = kSteps * scenario.batch;
  scenario.data.generated.test = scenario.batch;
  return scenario;
}

std::vector<std::string> small_scenarios() {
  std::vector<std::string> names;
  for (const BuiltinScenario& built_in : scenario_catalog()) {
    const Scenario scenario = find_scenario(std::string(built_in.name)).value();
    const bool generated = scenario.data.dataset == "generated-images";
    if (!generated || scenario.data.generated.height <= kMostRows)
      names.emplace_back(built_in.name);
  }
  return names;
}

std::vector<double> losses_of(const Scenario& scenario, std::shared_ptr<Backend> backend) {
  const auto data = open_data(scenario).value();
  const auto session =
      TrainingSession::prepare(spec_of(scenario, shape_of(*data)).value(), data,
                               find_policy("renaissance-dataflow").value(), std::move(backend));
  if (!session) ADD_FAILURE() << to_string(session.error());
  return (*session)->run(nullptr, {}).losses;
}

/// Relative; of losses below 1 absolute.
double bound(Precision precision, std::size_t step) {
  if (precision == Precision::fp32) return 2e-4;
  constexpr std::size_t kFirst = 5;
  return step < kFirst ? 2e-2 : 5e-2;
}

class CudaScenarios : public GpuTest, public testing::WithParamInterface<std::string> {};

TEST_P(CudaScenarios, HaveTheHostsLossesInTheirFirstSteps) {
  const std::vector<double> wanted =
      losses_of(small_part_of(GetParam(), Lowering::fused), std::make_shared<HostBackend>());
  ASSERT_EQ(wanted.size(), static_cast<std::size_t>(kSteps));
  for (const Lowering lowering : {Lowering::article, Lowering::fused}) {
    const Scenario scenario = small_part_of(GetParam(), lowering);
    auto backend = CudaBackend::open(PlanSearch::first, {});
    ASSERT_TRUE(backend) << to_string(backend.error());
    const std::vector<double> had = losses_of(scenario, std::move(*backend));
    ASSERT_EQ(had.size(), wanted.size());
    double worst = 0;
    for (std::size_t step = 0; step < wanted.size(); ++step) {
      const double off = std::abs(had[step] - wanted[step]) / std::max(1.0, std::abs(wanted[step]));
      EXPECT_LE(off, bound(scenario.precision, step))
          << name_of(lowering) << " step " << step << ": " << had[step] << " on the GPU, "
          << wanted[step] << " on the host";
      worst = std::max(worst, off);
    }
    RecordProperty("worst_" + std::string(name_of(lowering)), std::to_string(worst));
  }
}

INSTANTIATE_TEST_SUITE_P(BuiltIn, CudaScenarios, testing::ValuesIn(small_scenarios()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace quintet::test
