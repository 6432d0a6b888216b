// AMP in a whole run: an overflow skips the update on the device, and the loss scale comes down and up by itself.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

const Tensor& tensor_named(const ExecutionPlan& plan, std::string_view name) {
  for (const Tensor& tensor : plan.tensors.all()) {
    if (tensor.name == name) return tensor;
  }
  throw std::runtime_error("no tensor " + std::string(name));
}

template <class T>
T scalar(const HostExecutor& executor, std::string_view name) {
  T value{};
  executor.download(tensor_named(executor.plan(), name).id,
                    std::as_writable_bytes(std::span(&value, 1)));
  return value;
}

TinyRun amp_run(std::int64_t steps) {
  TinyRun run;
  run.precision = Precision::amp;
  run.optimizer = AdamHyper{};
  run.ema = EmaHyper{0.9F};
  run.learning_rate = 0.001F;
  run.test_samples = 0;
  run.train_steps = steps;
  return run;
}

class AmpRun : public testing::TestWithParam<StepMode> {};

TEST_P(AmpRun, SkipsTheUpdateOfAnOverflowAndHalvesTheScale) {
  const auto session = prepare_tiny(
      amp_run(1),
      policy_with("renaissance-dataflow", SyncRule::dataflow, GradientMode::in_place, GetParam()));
  StepIo io = session->make_io();
  const auto executor = make_host_executor(session->plan(), session->spec(), io, nullptr);
  const float too_much = std::ldexp(1.0F, 24);
  executor->upload(tensor_named(session->plan(), "loss_scale").id,
                   std::as_bytes(std::span(&too_much, 1)));
  const std::vector<std::byte> before = session->weights(*executor);
  StepRunner(*executor, nullptr).run(session->schedule(), [](std::int64_t, StepRun&) {}, {});
  EXPECT_TRUE(std::isfinite(io.result(0).loss)) << "forward knows no scale";
  EXPECT_TRUE(session->weights(*executor) == before) << "weights, moments, averages: untouched";
  EXPECT_EQ(scalar<float>(*executor, "loss_scale"), too_much / 2);
  EXPECT_EQ(scalar<std::int64_t>(*executor, "adam_t"), 0) << "Adam counts updates";
  EXPECT_EQ(scalar<std::int64_t>(*executor, "step_counter"), 1) << "the step counter counts steps";
}

TEST_P(AmpRun, FindsAScaleThatFitsAndTrains) {
  const auto session = prepare_tiny(
      amp_run(40),
      policy_with("renaissance", SyncRule::adjacent_conflicts, GradientMode::separate, GetParam()));
  StepIo io = session->make_io();
  const auto executor = make_host_executor(session->plan(), session->spec(), io, nullptr);
  const float too_much = std::ldexp(1.0F, 24);
  executor->upload(tensor_named(session->plan(), "loss_scale").id,
                   std::as_bytes(std::span(&too_much, 1)));
  StepRunner(*executor, nullptr).run(session->schedule(), [](std::int64_t, StepRun&) {}, {});
  const auto updates = scalar<std::int64_t>(*executor, "adam_t");
  EXPECT_GT(updates, 20);
  EXPECT_LT(updates, 40) << "the first steps overflow";
  EXPECT_EQ(scalar<float>(*executor, "loss_scale"),
            std::ldexp(1.0F, 24 - (40 - static_cast<int>(updates))))
      << "halved once for each skipped step";
  EXPECT_LT(io.result(39).loss, io.result(0).loss);
}

INSTANTIATE_TEST_SUITE_P(Modes, AmpRun,
                         testing::Values(StepMode::host_sync, StepMode::event_sync,
                                         StepMode::whole_step),
                         [](const auto& mode) { return std::string(name_of(mode.param)); });

TEST(MicroBatches, OfEqualSizeGiveTheGradientOfTheWholeBatch) {
  // Two batches of 8 added up and halved, against one batch of 16: the same images in the same order.
  TinyRun halves;
  halves.network = "mlp";
  halves.batch = 8;
  halves.train_samples = 16;
  halves.test_samples = 0;
  halves.train_steps = 2;
  halves.micro_batches = 2;
  halves.optimizer = SgdHyper{.momentum = 0.0F};
  halves.learning_rate = 0.1F;
  TinyRun whole = halves;
  whole.batch = 16;
  whole.train_steps = 1;
  whole.micro_batches = 1;
  const StreamPolicy policy = policy_with("renaissance-dataflow", SyncRule::dataflow,
                                          GradientMode::separate, StepMode::event_sync);
  const auto weights_of = [&](const TinyRun& run, float rate_scale) {
    TinyRun scaled = run;
    scaled.learning_rate *= rate_scale;
    const auto session = prepare_tiny(scaled, policy);
    const Bits bits = run_on_streams(*session);
    std::vector<float> weights(bits.weights.size() / sizeof(float));
    std::memcpy(weights.data(), bits.weights.data(), bits.weights.size());
    return weights;
  };
  // The second batch's rate is 5 % above the first's (tiny_session): its update is the one that counts.
  const std::vector<float> added = weights_of(halves, 1.0F / 1.05F);
  const std::vector<float> once = weights_of(whole, 1.0F);
  ASSERT_EQ(added.size(), once.size());
  double difference = 0;
  double size = 0;
  for (std::size_t index = 0; index < once.size(); ++index) {
    difference += std::pow(static_cast<double>(added[index]) - once[index], 2);
    size += std::pow(static_cast<double>(once[index]), 2);
  }
  EXPECT_LT(std::sqrt(difference / size), 1e-5);
}

}  // namespace
}  // namespace quintet::test
