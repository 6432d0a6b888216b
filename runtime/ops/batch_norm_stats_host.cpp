#include <cassert>
#include <cmath>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/batch_norm_stats.h"

namespace quintet {

namespace {

class BatchNormEq final : public HostKernel {
 public:
  explicit BatchNormEq(const BatchNormHyper& hyper)
      : epsilon_(static_cast<double>(hyper.epsilon)) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = BatchNormEqSlots;
    const auto channels = static_cast<std::int64_t>(args.bytes(Slots::gamma) / sizeof(float));
    const auto* const gamma = args.read<float>(Slots::gamma);
    const auto* const beta = args.read<float>(Slots::beta);
    const auto* const running = args.read<float>(Slots::running);
    auto* const eq = args.write<float>(Slots::eq);
    for (std::int64_t c = 0; c < channels; ++c) {
      const double variance = static_cast<double>(running[channels + c]);
      const double scale = static_cast<double>(gamma[c]) / std::sqrt(variance + epsilon_);
      eq[c] = static_cast<float>(scale);
      eq[channels + c] = static_cast<float>(static_cast<double>(beta[c]) -
                                            static_cast<double>(running[c]) * scale);
    }
  }

 private:
  double epsilon_;
};

class RangeBnStats final : public HostKernel {
 public:
  explicit RangeBnStats(const BatchNormHyper& hyper) : momentum_(hyper.momentum) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = BatchNormStatsSlots;
    assert(args.bytes(Slots::running) == args.bytes(Slots::batch));
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::running) / sizeof(float));
    float* __restrict running = args.write<float>(Slots::running);
    const float* __restrict batch = args.read<float>(Slots::batch);
    const float momentum = momentum_;
    const float rest = 1.0F - momentum;
    for (std::int64_t i = 0; i < count; ++i)
      running[i] = rest * running[i] + momentum * batch[i];
  }

 private:
  float momentum_;
};

}  // namespace

std::unique_ptr<HostKernel> make_batch_norm_eq_host(const Task& task,
                                                    const TensorTable& /*tensors*/) {
  return std::make_unique<BatchNormEq>(std::get<BatchNormHyper>(task.attributes));
}

std::unique_ptr<HostKernel> make_range_bn_stats_host(const Task& task,
                                                     const TensorTable& /*tensors*/) {
  return std::make_unique<RangeBnStats>(std::get<BatchNormHyper>(task.attributes));
}

}  // namespace quintet
