// A backend that wants every tensor on bytes of its own: its plans, and the policies it cannot have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>

#include "runtime/data/generated_images.h"
#include "runtime/model/guarded_layout.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

using ::testing::HasSubstr;

/// The host, but for what its plans may share.
class UnsharedHost final : public Backend {
 public:
  [[nodiscard]] std::string_view name() const override { return "unshared host"; }
  [[nodiscard]] FeatureSharing sharing() const override { return FeatureSharing::none; }
  Result<std::uint64_t> workspace_bytes(const Task& task, const TensorTable& tensors) override {
    return host_.workspace_bytes(task, tensors);
  }
  void set_delays(LayerDelays delays) override { host_.set_delays(std::move(delays)); }
  std::unique_ptr<Executor> make_executor(const ExecutionPlan& plan, const TrainingSpec& spec,
                                          StepIo& io, Observer* observer) override {
    return host_.make_executor(plan, spec, io, observer);
  }

 private:
  HostBackend host_;
};

StreamPolicy separate() {
  return policy_with("renaissance-dataflow", SyncRule::dataflow, GradientMode::separate,
                     StepMode::whole_step);
}

/// LARS and AMP have tasks that take tensors one by one where others take whole regions.
TinyRun resnet() {
  return {.network = "resnet18-twin",
          .batch = 6,
          .train_samples = 14,
          .test_samples = 8,
          .train_steps = 3,
          .precision = Precision::amp,
          .optimizer = LarsHyper{.trust = 0.02F},
          .learning_rate = 0.1F};
}

TEST(BackendWithoutSharing, HasPlansWhoseFeaturesShareNoBytes) {
  const auto session = prepare_tiny(resnet(), separate(), std::make_shared<UnsharedHost>());
  const ExecutionPlan& plan = session->plan();
  std::vector<const Tensor*> features;
  for (const Tensor& tensor : plan.tensors.all()) {
    if (tensor.region == RegionKind::FEATURES && !tensor.view_of) features.push_back(&tensor);
  }
  const auto overlap = [&](const Tensor& a, const Tensor& b) {
    const Placement& x = plan.memory.placement(a.id);
    const Placement& y = plan.memory.placement(b.id);
    return x.offset < y.offset + y.bytes && y.offset < x.offset + x.bytes;
  };
  for (std::size_t i = 0; i < features.size(); ++i) {
    for (std::size_t j = i + 1; j < features.size(); ++j) {
      if (features[i]->variant != features[j]->variant) continue;
      EXPECT_FALSE(overlap(*features[i], *features[j]))
          << features[i]->name << ", " << features[j]->name;
    }
  }
  EXPECT_GT(features.size(), 100U);
}

TEST(BackendWithoutSharing, HasPlansWhoseOperandsEachLieInOneGuardedBlock) {
  const auto session = prepare_tiny(resnet(), separate(), std::make_shared<UnsharedHost>());
  const ExecutionPlan& plan = session->plan();
  const GuardedLayout layout = guarded_layout(plan.tensors, plan.tasks, plan.memory);
  for (const Task& task : plan.tasks) {
    for (std::size_t slot = 0; slot < task.operands.size(); ++slot) {
      const Access& access = plan.accesses[task.id.value()][slot];
      const auto* tensor = std::get_if<TensorId>(&task.operands[slot].target);
      const MemoryBlock& block =
          layout.blocks[tensor != nullptr ? layout.tensors[tensor->value()]
                                          : layout.regions[access.region.value()].value()];
      EXPECT_EQ(block.region, access.region) << task.name;
      EXPECT_LE(block.offset, access.offset) << task.name;
      EXPECT_LE(access.end(), block.offset + block.bytes) << task.name;
      EXPECT_GT(access.bytes, 0U) << task.name;
    }
  }
}

TEST(BackendWithoutSharing, GivesTheSameBits) {
  const auto shared = prepare_tiny(resnet(), separate());
  const auto unshared = prepare_tiny(resnet(), separate(), std::make_shared<UnsharedHost>());
  EXPECT_GT(unshared->plan().memory.bytes(MemorySpace::device),
            shared->plan().memory.bytes(MemorySpace::device));
  EXPECT_TRUE(run_on_backend(*unshared) == run_on_backend(*shared));
}

TEST(BackendWithoutSharing, RefusesGradientsInPlace) {
  const auto known = prepare_tiny(resnet(), separate());
  DataSource source;
  auto data = open_generated_images(source);
  ASSERT_TRUE(data) << to_string(data.error());
  StreamPolicy policy = separate();
  policy.gradients = GradientMode::in_place;
  const auto session =
      TrainingSession::prepare(known->spec(), std::make_shared<DatasetPair>(std::move(*data)),
                               policy, std::make_shared<UnsharedHost>());
  ASSERT_FALSE(session);
  EXPECT_THAT(to_string(session.error()), HasSubstr("lays gradients over activations"));
  EXPECT_THAT(to_string(session.error()), HasSubstr("gradients = \"separate\""));
}

}  // namespace
}  // namespace quintet::test
