#include <algorithm>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/metrics.h"

namespace quintet {

namespace {

class Metrics final : public HostKernel {
 public:
  Metrics(std::int64_t samples, std::int64_t classes) : samples_(samples), classes_(classes) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = MetricsSlots;
    const auto* const losses = args.read<float>(Slots::losses);
    const auto* const labels = args.read<std::int32_t>(Slots::labels);
    double sum = 0;
    std::int64_t hits = 0;
    for (std::int64_t n = 0; n < samples_; ++n) {
      const float* const p = args.read<float>(Slots::probabilities) + n * classes_;
      sum += static_cast<double>(losses[n]);
      hits += std::max_element(p, p + classes_) - p == labels[n] ? 1 : 0;
    }
    auto* const result = args.write<double>(Slots::result);
    result[0] = sum / static_cast<double>(samples_);
    result[1] = static_cast<double>(hits);
  }

 private:
  std::int64_t samples_;
  std::int64_t classes_;
};

}  // namespace

std::unique_ptr<HostKernel> make_metrics_host(const Task& task, const TensorTable& tensors) {
  const auto id = std::get<TensorId>(task.operands[MetricsSlots::probabilities].target);
  const Shape& probabilities = tensors[id].shape;
  return std::make_unique<Metrics>(probabilities.dim(0), probabilities.dim(1));
}

}  // namespace quintet
