#include "runtime/host/half.h"
#include "runtime/host/host_kernel.h"
#include "runtime/ops/amp_host.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/fused_relu_backward.h"

namespace quintet {

namespace {

static_assert(FusedReluBackwardSlots::dX == std::size_t{FcInputGradientSlots::dX});

/// What did not pass forward gets +0, whatever lies there.
template <class T>
void mask_in_place(T* __restrict values, const std::uint8_t* __restrict mask, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = mask[i] != 0 ? values[i] : T{};
}

/// The layer's own kernel, then one pass over what it wrote.
template <class T>
class MaskedInputGradient final : public HostKernel {
 public:
  explicit MaskedInputGradient(std::unique_ptr<HostKernel> inner) : inner_(std::move(inner)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override { return inner_->workspace_bytes(); }
  [[nodiscard]] std::string implementation() const override {
    return inner_->implementation() + "+relu";
  }

  void run(const TaskArgs& args, const RunContext& context) override {
    using Slots = FusedReluBackwardSlots;
    inner_->run(args.first(Slots::mask), context);
    mask_in_place(args.write<T>(Slots::dX), args.read<std::uint8_t>(Slots::mask),
                  static_cast<std::int64_t>(args.bytes(Slots::dX) / sizeof(T)));
  }

 private:
  std::unique_ptr<HostKernel> inner_;
};

/// The part dX as the article's lowering has it.
Task without_relu(const Task& task) {
  Task own = task;
  own.fused_with.reset();
  own.operands.resize(FusedReluBackwardSlots::mask);
  return own;
}

}  // namespace

std::unique_ptr<HostKernel> make_fc_relu_backward_host(const Task& task,
                                                       const TensorTable& tensors) {
  return std::make_unique<MaskedInputGradient<float>>(
      make_fc_input_gradient_host(without_relu(task), tensors));
}

std::unique_ptr<HostKernel> make_fc_relu_backward_amp_host(const Task& task,
                                                           const TensorTable& tensors) {
  return std::make_unique<MaskedInputGradient<Half>>(
      make_amp_host(without_relu(task), tensors, make_fc_input_gradient_host));
}

}  // namespace quintet
