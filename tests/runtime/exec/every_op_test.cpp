// No op can be defaulted, skipped or forgotten: every kind goes through catalog, policy, proof and
// executor, and is seen to run; a kind without an op is refused by name.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <set>

#include "runtime/data/generated_images.h"
#include "runtime/exec/host_backend.h"
#include "runtime/network/network_builder.h"
#include "runtime/ops/op_catalog.h"
#include "runtime/policy/hazard_proof.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

/// The kinds whose tasks ran.
class Seen final : public Observer {
 public:
  void on_plan(const ExecutionPlan& plan) override { plan_ = &plan; }
  void on_task(const TaskRun& run) override {
    const std::lock_guard lock(mutex_);
    kinds_.insert(plan_->task(run.task).kind);
  }
  [[nodiscard]] const std::set<OpKind>& kinds() const { return kinds_; }

 private:
  std::mutex mutex_;
  const ExecutionPlan* plan_ = nullptr;
  std::set<OpKind> kinds_;
};

NetworkDefinition image_of(std::string name) {
  NetworkDefinition input;
  input.name = std::move(name);
  input.height = 28;
  input.width = 28;
  input.channels = 1;
  input.classes = 10;
  return input;
}

/// Every layer for images, and one activation of each kind.
NetworkDefinition every_image_layer() {
  constexpr Window kThree{3, 3, 2, 2, 1, 1};
  constexpr Window kTwo{2, 2, 2, 2, 0, 0};
  constexpr Window kOne{1, 1, 1, 1, 0, 0};
  NetworkBuilder b(image_of("every image layer"));
  b.conv("conv1", 4, kThree).relu("relu").max_pool("max", kTwo);
  const LayerIndex trunk = b.here();
  b.conv("conv2", 4, kOne, false).batch_norm("bn2d").add("add", trunk);
  b.activation("relu6", ActivationKind::relu6).activation("leaky", ActivationKind::leaky_relu);
  b.activation("tanh", ActivationKind::tanh).activation("silu", ActivationKind::silu);
  b.activation("sigmoid", ActivationKind::sigmoid);
  b.activation("hardswish", ActivationKind::hardswish).activation("elu", ActivationKind::elu);
  b.avg_pool("avg", {3, 3, 2, 2, 1, 1}).dropout("dropout", 0.25F).global_avg_pool("gap");
  b.fc("fc1", 12).batch_norm("bn1d").fc("fc2", 10);
  return b.build();
}

/// A fully connected first layer, behind a flattened image.
NetworkDefinition fully_connected() {
  NetworkBuilder b(image_of("fully connected"));
  b.flatten("flatten").fc("fc1", 12).relu("relu").fc("fc2", 10);
  return b.build();
}

struct OpRun {
  NetworkDefinition network;
  Precision precision = Precision::fp32;
  OptimizerHyper optimizer;
  StepMode step = StepMode::event_sync;
};

void run_and_see(const OpRun& run, Seen& seen) {
  TrainingSpec spec;
  spec.network = run.network;
  spec.precision = run.precision;
  spec.optimizer = run.optimizer;
  spec.ema = EmaHyper{0.9F};
  spec.length.train_samples = 12;
  spec.length.test_samples = 4;
  spec.length.batch = 4;
  spec.length.micro_batches = 2;
  spec.micro_batches = 2;
  spec.learning_rates.assign(3, 0.01F);
  DataSource source;
  source.generated.train = 12;
  source.generated.test = 4;
  auto data = open_generated_images(source);
  ASSERT_TRUE(data) << to_string(data.error());
  const auto session = TrainingSession::prepare(
      spec, std::make_shared<DatasetPair>(std::move(*data)),
      policy_with("renaissance", SyncRule::adjacent_conflicts, GradientMode::in_place, run.step),
      std::make_shared<HostBackend>());
  ASSERT_TRUE(session) << to_string(session.error());
  const auto proof = prove((*session)->plan());
  ASSERT_TRUE(proof) << to_string(proof.error());
  ASSERT_TRUE(proof->race_free()) << proof->races.front().text;
  const TrainingResult result = (*session)->run(&seen, {});
  for (const double loss : result.losses)
    EXPECT_TRUE(std::isfinite(loss)) << run.network.name;
}

/// What two ranks need; one rank has nothing to add up.
const std::set<OpKind> kOfSeveralRanks = {RangeOp::RANGE_SUM_ALLREDUCE,
                                          RangeOp::RANGE_BN_STATS_ALLREDUCE};

TEST(EveryOpKind, RunsOrIsRefusedByName) {
  Seen seen;
  const std::vector<OptimizerHyper> optimizers = {SgdHyper{}, AdamHyper{}, AdamWHyper{},
                                                  LarsHyper{}};
  for (const Precision precision : {Precision::fp32, Precision::amp}) {
    for (const NetworkDefinition& network : {every_image_layer(), fully_connected()}) {
      for (const OptimizerHyper& optimizer : optimizers)
        run_and_see({network, precision, optimizer, StepMode::event_sync}, seen);
      run_and_see({network, precision, SgdHyper{}, StepMode::whole_step}, seen);
    }
  }
  for (const OpKind kind : all_op_kinds()) {
    const auto definition = find_op(kind);
    if (kOfSeveralRanks.contains(kind)) {
      ASSERT_FALSE(definition) << name_of(kind);
      EXPECT_NE(definition.error().message.find(name_of(kind)), std::string::npos);
      continue;
    }
    ASSERT_TRUE(definition) << name_of(kind);
    EXPECT_EQ(seen.kinds().contains(kind), !(*definition)->view) << name_of(kind);
  }
}

}  // namespace
}  // namespace quintet::test
