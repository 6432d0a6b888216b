#include <algorithm>
#include <bit>

#include "runtime/host/half.h"
#include "runtime/host/host_kernel.h"
#include "runtime/ops/loss_scale.h"
#include "runtime/ops/overflow_flag.h"

namespace quintet {

namespace {

/// NaN and infinity have all exponent bits set. Collected without a branch, so that loops are
/// vectorised.
bool all_finite(const float* values, std::uint64_t count) {
  std::uint32_t bad = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(values[i]);
    bad |= static_cast<std::uint32_t>((bits & 0x7F800000U) == 0x7F800000U);
  }
  return bad == 0;
}

bool all_finite(const Half* values, std::uint64_t count) {
  std::uint32_t bad = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    bad |= static_cast<std::uint32_t>((values[i].bits & 0x7C00U) == 0x7C00U);
  return bad == 0;
}

DType dtype_of(const OperandTarget& target, const TensorTable& tensors) {
  if (const auto* tensor = std::get_if<TensorId>(&target)) return tensors[*tensor].dtype;
  return name_of(std::get<RegionKind>(target)).ends_with("_FP16") ? DType::F16 : DType::F32;
}

class CheckNan final : public HostKernel {
 public:
  /// `halves`: per checked operand whether it holds halves.
  explicit CheckNan(std::vector<bool> halves) : halves_(std::move(halves)) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    bool finite = true;
    for (std::size_t slot = 0; slot < halves_.size() && finite; ++slot) {
      const std::uint64_t bytes = args.bytes(slot);
      finite = halves_[slot] ? all_finite(args.read<Half>(slot), bytes / sizeof(Half))
                             : all_finite(args.read<float>(slot), bytes / sizeof(float));
    }
    *args.write<std::int32_t>(CheckNanSlots::found_inf(args.size())) = finite ? 0 : 1;
  }

 private:
  std::vector<bool> halves_;
};

class ScaleGradients final : public HostKernel {
 public:
  ScaleGradients(ScaleGradientsSlots slots, const GradientScaleHyper& hyper)
      : slots_(slots), hyper_(hyper) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    if (overflowed(args, slots_.found_inf())) return;
    double divisor = static_cast<double>(hyper_.micro_batches);
    if (args.size() > slots_.loss_scale())
      divisor *= static_cast<double>(*args.read<float>(slots_.loss_scale()));
    const auto factor = static_cast<float>(1 / divisor);
    for (std::size_t region = 0; region < slots_.regions; ++region) {
      float* const values = args.write<float>(region);
      const std::uint64_t count = args.bytes(region) / sizeof(float);
      for (std::uint64_t i = 0; i < count; ++i)
        values[i] *= factor;
    }
  }

 private:
  ScaleGradientsSlots slots_;
  GradientScaleHyper hyper_;
};

class LossScaleUpdate final : public HostKernel {
 public:
  explicit LossScaleUpdate(const LossScaleHyper& hyper) : hyper_(hyper) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = LossScaleUpdateSlots;
    float& scale = *args.write<float>(Slots::loss_scale);
    std::int32_t& good_steps = *args.write<std::int32_t>(Slots::good_steps);
    const LossScaleState next =
        after_step({scale, good_steps}, overflowed(args, Slots::found_inf), hyper_);
    scale = next.scale;
    good_steps = next.good_steps;
  }

 private:
  LossScaleHyper hyper_;
};

}  // namespace

std::unique_ptr<HostKernel> make_check_nan_host(const Task& task, const TensorTable& tensors) {
  std::vector<bool> halves;
  for (std::size_t slot = 0; slot + 1 < task.operands.size(); ++slot)
    halves.push_back(dtype_of(task.operands[slot].target, tensors) == DType::F16);
  return std::make_unique<CheckNan>(std::move(halves));
}

std::unique_ptr<HostKernel> make_scale_gradients_host(const Task& task,
                                                      const TensorTable& /*tensors*/) {
  const auto regions = std::count_if(
      task.operands.begin(), task.operands.end(),
      [](const Operand& operand) { return std::holds_alternative<RegionKind>(operand.target); });
  return std::make_unique<ScaleGradients>(ScaleGradientsSlots{static_cast<std::size_t>(regions)},
                                          std::get<GradientScaleHyper>(task.attributes));
}

std::unique_ptr<HostKernel> make_loss_scale_update_host(const Task& task,
                                                        const TensorTable& /*tensors*/) {
  return std::make_unique<LossScaleUpdate>(std::get<LossScaleHyper>(task.attributes));
}

}  // namespace quintet
