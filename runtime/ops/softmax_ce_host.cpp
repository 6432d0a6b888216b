#include <algorithm>
#include <cmath>
#include <limits>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/softmax_ce.h"

namespace quintet {

namespace {

struct BatchShape {
  std::int64_t samples, classes;
};

/// Loss = log(sum exp(z - max)) - sum(target * (z - max)): no probability is ever taken the
/// logarithm of.
class SoftmaxCeForward final : public HostKernel {
 public:
  SoftmaxCeForward(const BatchShape& shape, float smoothing)
      : shape_(shape), smoothing_(static_cast<double>(smoothing)) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = SoftmaxCeForwardSlots;
    const std::int64_t classes = shape_.classes;
    const auto* const labels = args.read<std::int32_t>(Slots::labels);
    auto* const losses = args.write<float>(Slots::losses);
    for (std::int64_t n = 0; n < shape_.samples; ++n) {
      const float* const z = args.read<float>(Slots::logits) + n * classes;
      float* const p = args.write<float>(Slots::probabilities) + n * classes;
      const auto largest = static_cast<double>(*std::max_element(z, z + classes));
      double sum = 0;
      for (std::int64_t k = 0; k < classes; ++k)
        sum += std::exp(static_cast<double>(z[k]) - largest);
      for (std::int64_t k = 0; k < classes; ++k)
        p[k] = static_cast<float>(std::exp(static_cast<double>(z[k]) - largest) / sum);
      const bool known = labels[n] >= 0 && labels[n] < classes;
      losses[n] = known ? static_cast<float>(std::log(sum) - target_logit(z, labels[n], largest))
                        : std::numeric_limits<float>::quiet_NaN();
    }
  }

 private:
  /// The mean of z - largest under the target distribution.
  [[nodiscard]] double target_logit(const float* z, std::int32_t label, double largest) const {
    const double of_label = static_cast<double>(z[label]) - largest;
    if (smoothing_ == 0) return of_label;
    double sum = 0;
    for (std::int64_t k = 0; k < shape_.classes; ++k)
      sum += static_cast<double>(z[k]) - largest;
    return (1 - smoothing_) * of_label + smoothing_ / static_cast<double>(shape_.classes) * sum;
  }

  BatchShape shape_;
  double smoothing_;
};

class SoftmaxCeBackward final : public HostKernel {
 public:
  SoftmaxCeBackward(const BatchShape& shape, float smoothing)
      : shape_(shape), smoothing_(static_cast<double>(smoothing)) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = SoftmaxCeBackwardSlots;
    const auto* const labels = args.read<std::int32_t>(Slots::labels);
    const auto* const p = args.read<float>(Slots::probabilities);
    auto* const dz = args.write<float>(Slots::dlogits);
    const auto samples = static_cast<double>(shape_.samples);
    const double scale = args.size() > Slots::loss_scale
                             ? static_cast<double>(*args.read<float>(Slots::loss_scale))
                             : 1.0;
    const double floor = smoothing_ / static_cast<double>(shape_.classes);
    const double peak = 1 - smoothing_ + floor;
    for (std::int64_t n = 0; n < shape_.samples; ++n) {
      for (std::int64_t k = 0; k < shape_.classes; ++k) {
        const std::int64_t i = n * shape_.classes + k;
        const double target = labels[n] == k ? peak : floor;
        dz[i] = static_cast<float>((static_cast<double>(p[i]) - target) * scale / samples);
      }
    }
  }

 private:
  BatchShape shape_;
  double smoothing_;
};

BatchShape batch_shape_of(const Task& task, const TensorTable& tensors, std::size_t slot) {
  const Shape& shape = tensors[std::get<TensorId>(task.operands[slot].target)].shape;
  return {shape.dim(0), shape.dim(1)};
}

}  // namespace

std::unique_ptr<HostKernel> make_softmax_ce_forward_host(const Task& task,
                                                         const TensorTable& tensors) {
  return std::make_unique<SoftmaxCeForward>(
      batch_shape_of(task, tensors, SoftmaxCeForwardSlots::logits), smoothing_of(task.attributes));
}

std::unique_ptr<HostKernel> make_softmax_ce_backward_host(const Task& task,
                                                          const TensorTable& tensors) {
  return std::make_unique<SoftmaxCeBackward>(
      batch_shape_of(task, tensors, SoftmaxCeBackwardSlots::dlogits),
      smoothing_of(task.attributes));
}

}  // namespace quintet
