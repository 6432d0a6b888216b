#include <cassert>
#include <cmath>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/adam.h"
#include "runtime/ops/overflow_flag.h"

namespace quintet {

namespace {

class AdamBiasCorrection final : public HostKernel {
 public:
  explicit AdamBiasCorrection(const AdamHyper& hyper) : hyper_(hyper) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = AdamBiasCorrectionSlots;
    if (overflowed(args, Slots::found_inf)) return;
    auto* const t = args.write<std::int64_t>(Slots::t);
    auto* const correction = args.write<float>(Slots::correction);
    ++*t;
    const auto of = [&](float beta) {
      return static_cast<float>(1 /
                                (1 - std::pow(static_cast<double>(beta), static_cast<double>(*t))));
    };
    correction[0] = of(hyper_.beta1);
    correction[1] = of(hyper_.beta2);
  }

 private:
  AdamHyper hyper_;
};

enum class Decay { into_gradient, of_weight };

template <Decay decay>
class RangeAdam final : public HostKernel {
 public:
  explicit RangeAdam(const AdamHyper& hyper) : hyper_(hyper) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = RangeAdamSlots;
    assert(args.bytes(Slots::weights) == args.bytes(Slots::gradients));
    assert(args.bytes(Slots::weights) == args.bytes(Slots::momentum));
    assert(args.bytes(Slots::weights) == args.bytes(Slots::variance));
    if (overflowed(args, Slots::found_inf)) return;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::weights) / sizeof(float));
    const float lr = *args.read<float>(Slots::lr);
    const float* const correction = args.read<float>(Slots::correction);
    const float rate = lr * correction[0];
    const float variance_correction = correction[1];
    const float beta1 = hyper_.beta1;
    const float beta2 = hyper_.beta2;
    const float epsilon = hyper_.epsilon;
    const float added = decay == Decay::into_gradient ? hyper_.weight_decay : 0.0F;
    const float kept = decay == Decay::of_weight ? 1.0F - lr * hyper_.weight_decay : 1.0F;
    float* __restrict w = args.write<float>(Slots::weights);
    const float* __restrict gradients = args.read<float>(Slots::gradients);
    float* __restrict m = args.write<float>(Slots::momentum);
    float* __restrict v = args.write<float>(Slots::variance);
    for (std::int64_t i = 0; i < count; ++i) {
      const float g = gradients[i] + added * w[i];
      m[i] = beta1 * m[i] + (1.0F - beta1) * g;
      v[i] = beta2 * v[i] + (1.0F - beta2) * g * g;
      w[i] = kept * w[i] - rate * m[i] / (std::sqrt(variance_correction * v[i]) + epsilon);
    }
  }

 private:
  AdamHyper hyper_;
};

}  // namespace

std::unique_ptr<HostKernel> make_adam_bias_correction_host(const Task& task,
                                                           const TensorTable& /*tensors*/) {
  return std::make_unique<AdamBiasCorrection>(std::get<AdamHyper>(task.attributes));
}

std::unique_ptr<HostKernel> make_range_adam_host(const Task& task, const TensorTable& /*tensors*/) {
  return std::make_unique<RangeAdam<Decay::into_gradient>>(std::get<AdamHyper>(task.attributes));
}

std::unique_ptr<HostKernel> make_range_adamw_host(const Task& task,
                                                  const TensorTable& /*tensors*/) {
  return std::make_unique<RangeAdam<Decay::of_weight>>(std::get<AdamHyper>(task.attributes));
}

}  // namespace quintet
