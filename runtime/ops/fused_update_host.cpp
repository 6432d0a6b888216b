#include <cassert>

#include "runtime/host/half.h"
#include "runtime/host/host_kernel.h"
#include "runtime/ops/fused_update.h"
#include "runtime/ops/loss_scale.h"
#include "runtime/ops/overflow_flag.h"

namespace quintet {

namespace {

class FusedUpdate final : public HostKernel {
 public:
  FusedUpdate(FusedUpdateSlots slots, const ScaledSgdHyper& hyper, std::uint64_t largest)
      : slots_(slots), hyper_(hyper.sgd), scaling_(hyper.loss_scale), largest_(largest) {}

  /// The floats of the largest gradient of halves.
  [[nodiscard]] std::uint64_t workspace_bytes() const override { return largest_ * sizeof(float); }

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    const bool overflow = overflowed(args, FusedUpdateSlots::found_inf);
    if (!overflow) update(args);
    float& scale = *args.write<float>(FusedUpdateSlots::loss_scale);
    std::int32_t& good_steps = *args.write<std::int32_t>(FusedUpdateSlots::good_steps);
    const LossScaleState next = after_step({scale, good_steps}, overflow, scaling_);
    scale = next.scale;
    good_steps = next.good_steps;
  }

 private:
  void update(const TaskArgs& args) const {
    const auto factor = static_cast<float>(
        1 / static_cast<double>(*args.read<float>(FusedUpdateSlots::loss_scale)));
    const float rate = *args.read<float>(FusedUpdateSlots::lr);
    for (std::size_t i = 0; i < slots_.count(); ++i) {
      const std::uint64_t count = args.bytes(slots_.weight(i)) / sizeof(float);
      const float* gradient = nullptr;
      if (slots_.has_half(i)) {
        assert(count <= largest_);
        auto* const wide = reinterpret_cast<float*>(args.workspace().data());
        float_from_half({args.read<Half>(slots_.gradient(i)), count}, {wide, count});
        gradient = wide;
      } else {
        gradient = args.read<float>(slots_.gradient(i));
      }
      float* const weight = args.write<float>(slots_.weight(i));
      step(count, rate, factor, gradient, weight, args.write<float>(slots_.momentum(i)));
      if (slots_.has_half(i))
        half_from_float({weight, count}, {args.write<Half>(slots_.half(i)), count});
    }
  }

  void step(std::uint64_t count, float rate, float factor, const float* __restrict g,
            float* __restrict w, float* __restrict m) const {
    const float decay = hyper_.weight_decay;
    const float momentum = hyper_.momentum;
    const bool nesterov = hyper_.nesterov;
    for (std::uint64_t i = 0; i < count; ++i) {
      const float scaled = g[i] * factor;
      const float decayed = scaled + decay * w[i];
      m[i] = momentum * m[i] + decayed;
      w[i] -= rate * (nesterov ? decayed + momentum * m[i] : m[i]);
    }
  }

  FusedUpdateSlots slots_;
  SgdHyper hyper_;
  LossScaleHyper scaling_;
  std::uint64_t largest_;
};

}  // namespace

std::unique_ptr<HostKernel> make_fused_update_host(const Task& task, const TensorTable& tensors) {
  const FusedUpdateSlots slots = FusedUpdateSlots::of(task, tensors);
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < slots.halved; ++i) {
    const TensorId gradient = std::get<TensorId>(task.operands[slots.gradient(i)].target);
    largest = std::max(largest, static_cast<std::uint64_t>(tensors[gradient].shape.elements()));
  }
  return std::make_unique<FusedUpdate>(slots, std::get<ScaledSgdHyper>(task.attributes), largest);
}

}  // namespace quintet
