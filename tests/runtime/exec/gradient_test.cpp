// The gradient of a whole network is the slope of its loss: along the gradient itself, by central differences of FP32 runs.
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "tests/support/tiny_session.h"

namespace quintet::test {
namespace {

using Values = std::map<std::uint32_t, std::vector<float>>;  // by tensor id

std::vector<float> floats_of(const HostExecutor& executor, const Tensor& tensor) {
  std::vector<float> values(static_cast<std::size_t>(tensor.shape.elements()));
  executor.download(tensor.id, std::as_writable_bytes(std::span(values)));
  return values;
}

/// One training step from `weights` (the starting ones where empty) that moves nothing: its loss, and what it computed.
class OneStep {
 public:
  explicit OneStep(TrainingSession& session, const Values& weights = {})
      : io_(session.make_io()),
        executor_(make_host_executor(session.plan(), session.spec(), io_, nullptr)) {
    for (const auto& [id, values] : weights) {
      executor_->upload(TensorId(id), std::as_bytes(std::span(values)));
    }
    StepRunner(*executor_, nullptr).run(session.schedule(), [](std::int64_t, StepRun&) {}, {});
  }
  [[nodiscard]] double loss() const { return io_.result(0).loss; }
  [[nodiscard]] const HostExecutor& executor() const { return *executor_; }

 private:
  StepIo io_;
  std::unique_ptr<HostExecutor> executor_;
};

class NetworkGradient : public testing::TestWithParam<const char*> {};

TEST_P(NetworkGradient, IsTheSlopeOfTheLoss) {
  TinyRun run;
  run.network = GetParam();
  run.batch = 16;
  run.train_samples = 16;
  run.test_samples = 0;
  run.train_steps = 1;
  run.learning_rate = 0;
  const auto session = prepare_tiny(run, policy_with("renaissance-dataflow", SyncRule::dataflow,
                                                     GradientMode::in_place, StepMode::event_sync));
  const TensorTable& tensors = session->plan().tensors;
  const OneStep start(*session);
  Values weights;
  Values gradients;
  double norm = 0;
  // Weights and gradients are laid out alike, so the n-th weight has the n-th gradient.
  std::vector<TensorId> weight_ids;
  std::vector<TensorId> gradient_ids;
  for (const Tensor& tensor : tensors.all()) {
    if (tensor.role == TensorRole::weight) weight_ids.push_back(tensor.id);
    if (tensor.role == TensorRole::weight_gradient) gradient_ids.push_back(tensor.id);
  }
  ASSERT_EQ(weight_ids.size(), gradient_ids.size());
  for (std::size_t index = 0; index < weight_ids.size(); ++index) {
    const std::vector<float> gradient = floats_of(start.executor(), tensors[gradient_ids[index]]);
    for (const float value : gradient)
      norm += static_cast<double>(value) * value;
    gradients[weight_ids[index].value()] = gradient;
    weights[weight_ids[index].value()] = floats_of(start.executor(), tensors[weight_ids[index]]);
  }
  norm = std::sqrt(norm);
  ASSERT_GT(norm, 1e-3);
  const auto loss_at = [&](double step) {
    Values moved = weights;
    for (auto& [id, values] : moved) {
      const std::vector<float>& direction = gradients.at(id);
      for (std::size_t element = 0; element < values.size(); ++element) {
        values[element] += static_cast<float>(step * direction[element] / norm);
      }
    }
    return OneStep(*session, moved).loss();
  };
  // Richardson: the h^2 error of two step lengths cancels; what is left is rounding and kinks.
  const double h = 4e-3;
  const double wide = (loss_at(h) - loss_at(-h)) / (2 * h);
  const double narrow = (loss_at(h / 2) - loss_at(-h / 2)) / h;
  const double slope = (4 * narrow - wide) / 3;
  EXPECT_NEAR(slope / norm, 1.0, 0.01) << "slope " << slope << ", |gradient| " << norm;
}

INSTANTIATE_TEST_SUITE_P(Twins, NetworkGradient,
                         testing::Values("lenet5", "mlp", "vgg16-bn-twin", "resnet18-twin",
                                         "resnet50-twin"));

}  // namespace
}  // namespace quintet::test
