// The short form of the accuracy figures in the README: what a broken gradient, shuffle or update would spoil.
#include <gtest/gtest.h>

#include "runtime/exec/host_backend.h"
#include "runtime/exec/training_session.h"
#include "runtime/network/scenario_catalog.h"
#include "runtime/network/scenario_spec.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet::test {
namespace {

double accuracy_after(const char* name, std::int64_t steps) {
  auto scenario = find_scenario(name);
  EXPECT_TRUE(scenario) << to_string(scenario.error());
  scenario->steps = steps;
  const auto data = open_data(*scenario);
  EXPECT_TRUE(data) << to_string(data.error());
  auto spec = spec_of(*scenario, shape_of(**data));
  EXPECT_TRUE(spec) << to_string(spec.error());
  auto session = TrainingSession::prepare(std::move(*spec), *data, *find_policy("renaissance"),
                                          std::make_shared<HostBackend>());
  EXPECT_TRUE(session) << to_string(session.error());
  return (*session)->run(nullptr, {}).test_accuracy.value();
}

// Thresholds lie well below what these many steps reach and far above the 10 % of chance.
TEST(ShortTraining, OfLeNetOnRealImagesReachesSeventyPercent) {
  EXPECT_GT(accuracy_after("fashion-lenet", 300), 0.70);
}
TEST(ShortTraining, OfTheMlpOnRealImagesReachesSeventyEightPercent) {
  EXPECT_GT(accuracy_after("fashion-mlp", 300), 0.78);
}
TEST(ShortTraining, OfAResidualNetworkOnRealImagesReachesSixtyFivePercent) {
  EXPECT_GT(accuracy_after("fashion-resnet18-twin", 250), 0.65);
}
TEST(ShortTraining, InAmpOnRealImagesReachesSeventyPercent) {
  EXPECT_GT(accuracy_after("fashion-lenet-amp", 300), 0.70);
}

}  // namespace
}  // namespace quintet::test
