// What sharing FEATURES bytes saves on the networks of the catalog, and that no policy waits longer
// for it.

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "runtime/policy/hazard_proof.h"
#include "runtime/policy/plan_builder.h"
#include "runtime/policy/policy_catalog.h"
#include "tests/runtime/policy/network_input.h"

namespace quintet::test {
namespace {

ExecutionPlan plan_with(PlanInput input, const StreamPolicy& policy, FeatureSharing sharing) {
  input.sharing = sharing;
  auto made = build_plan(std::move(input), policy);
  EXPECT_TRUE(made.has_value()) << to_string(made.error());
  return std::move(*made);
}

StreamPolicy policy_with(std::string_view name, GradientMode gradients, StepMode mode) {
  StreamPolicy policy = find_policy(std::string(name)).value();
  policy.sync = SyncRule::dataflow;
  policy.gradients = gradients;
  policy.step = mode;
  return policy;
}

/// Bytes of FEATURES as a share of what they would be unshared, in percent.
std::uint64_t percent_left(const MemoryPlan& memory) {
  return memory.region(RegionKind::FEATURES).bytes * 100 / memory.features_unshared_bytes();
}

/// By how much more than the lower bound FEATURES take, in percent of it.
std::uint64_t percent_over_bound(const MemoryPlan& memory) {
  const std::uint64_t bytes = memory.region(RegionKind::FEATURES).bytes;
  return (bytes - memory.features_lower_bound_bytes()) * 100 / memory.features_lower_bound_bytes();
}

void cost_no_wait(const PlanInput& input, std::string_view policy_name) {
  for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
    for (const StepMode mode : {StepMode::host_sync, StepMode::whole_step}) {
      SCOPED_TRACE(testing::Message()
                   << policy_name << " " << name_of(gradients) << " " << name_of(mode));
      const StreamPolicy policy = policy_with(policy_name, gradients, mode);
      const ExecutionPlan shared = plan_with(input, policy, FeatureSharing::by_lifetime);
      const ExecutionPlan apart = plan_with(input, policy, FeatureSharing::none);
      ASSERT_EQ(shared.graphs.size(), apart.graphs.size());
      for (const auto& [key, graph] : shared.graphs) {
        const std::vector<Edge>& expected = apart.graphs.at(key).edges;
        const bool same = std::equal(
            graph.edges.begin(), graph.edges.end(), expected.begin(), expected.end(),
            [](const Edge& a, const Edge& b) { return a.from == b.from && a.to == b.to; });
        ASSERT_TRUE(same) << shared.name(key);
      }
    }
  }
}

struct NetworkMemory : testing::TestWithParam<std::string_view> {
  [[nodiscard]] bool full_size() const {
    return !GetParam().ends_with("-twin") && GetParam() != "mlp" && GetParam() != "lenet5";
  }
  [[nodiscard]] PlanInput input(Precision precision) const {
    return full_size() ? full_size_input(GetParam(), precision)
                       : planned_input(GetParam(), precision);
  }
};

TEST_P(NetworkMemory, IsSmallerWhereBytesAreSharedAndNearTheBound) {
  for (const Precision precision : {Precision::fp32, Precision::amp}) {
    const PlanInput made = input(precision);
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      SCOPED_TRACE(testing::Message() << name_of(precision) << " " << name_of(gradients));
      const StreamPolicy policy =
          policy_with("renaissance-dataflow", gradients, StepMode::event_sync);
      const MemoryPlan memory = plan_with(made, policy, FeatureSharing::by_lifetime).memory;
      EXPECT_LT(percent_left(memory), gradients == GradientMode::in_place ? 90U : 75U);
      EXPECT_LE(percent_over_bound(memory), 5U);
    }
  }
}

TEST(NetworkFigures, OfTheSmallNetworksAreThese) {
  struct Figure {
    std::string_view network;
    GradientMode gradients;
    std::uint64_t bytes, unshared, lower_bound;
  };
  for (const Figure& figure : {Figure{"lenet5", GradientMode::in_place, 532416, 701696, 532416},
                               Figure{"lenet5", GradientMode::separate, 463552, 999680, 454144},
                               Figure{"mlp", GradientMode::in_place, 4224, 5760, 4224},
                               Figure{"mlp", GradientMode::separate, 5120, 7616, 5120}}) {
    SCOPED_TRACE(testing::Message() << figure.network << " " << name_of(figure.gradients));
    const StreamPolicy policy =
        policy_with("renaissance-dataflow", figure.gradients, StepMode::event_sync);
    const MemoryPlan memory =
        plan_with(planned_input(figure.network), policy, FeatureSharing::by_lifetime).memory;
    EXPECT_EQ(memory.region(RegionKind::FEATURES).bytes, figure.bytes);
    EXPECT_EQ(memory.features_unshared_bytes(), figure.unshared);
    EXPECT_EQ(memory.features_lower_bound_bytes(), figure.lower_bound);
  }
}

TEST_P(NetworkMemory, CostsNoWaitUnderAnyPolicy) {
  for (const Precision precision : {Precision::fp32, Precision::amp}) {
    const PlanInput made = input(precision);
    for (const BuiltinPolicy& builtin : policy_catalog()) {
      cost_no_wait(made, builtin.name);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(NetworkMemory, IsRaceFreeInEveryStepMode) {
  for (const Precision precision : {Precision::fp32, Precision::amp}) {
    const PlanInput made = input(precision);
    for (const GradientMode gradients : {GradientMode::in_place, GradientMode::separate}) {
      for (const StepMode mode :
           {StepMode::host_sync, StepMode::event_sync, StepMode::whole_step}) {
        const StreamPolicy policy = policy_with("renaissance-dataflow", gradients, mode);
        const auto proof = prove(plan_with(made, policy, FeatureSharing::by_lifetime));
        ASSERT_TRUE(proof.has_value()) << to_string(proof.error());
        ASSERT_TRUE(proof->race_free()) << proof->races[0].text << "; " << proof->races[0].cure;
        ASSERT_TRUE(proof->surplus.empty()) << proof->surplus[0].text;
      }
    }
  }
}

std::vector<std::string_view> network_names() {
  std::vector<std::string_view> names;
  for (const NetworkEntry& network : network_catalog())
    names.push_back(network.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalog, NetworkMemory, testing::ValuesIn(network_names()),
                         [](const auto& network) {
                           std::string name(network.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace quintet::test
