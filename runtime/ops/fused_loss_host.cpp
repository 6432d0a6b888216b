#include <algorithm>
#include <array>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/amp_host.h"
#include "runtime/ops/fused_loss.h"
#include "runtime/ops/softmax_ce.h"

namespace quintet {

namespace {

/// The two kernels of the article's lowering, one after the other.
class FusedLoss final : public HostKernel {
 public:
  FusedLoss(std::unique_ptr<HostKernel> forward, std::unique_ptr<HostKernel> backward)
      : forward_(std::move(forward)), backward_(std::move(backward)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return std::max(forward_->workspace_bytes(), backward_->workspace_bytes());
  }
  [[nodiscard]] std::string implementation() const override { return forward_->implementation(); }

  void run(const TaskArgs& args, const RunContext& context) override {
    using Slots = FusedLossSlots;
    const auto scratch = [&](const HostKernel& kernel) {
      return args.workspace().first(kernel.workspace_bytes());
    };
    forward_->run(args.first(Slots::dlogits).with_workspace(scratch(*forward_)), context);
    std::array<BoundOperand, 4> operands = {args.bound(Slots::probabilities),
                                            args.bound(Slots::labels), args.bound(Slots::dlogits)};
    operands[SoftmaxCeBackwardSlots::probabilities].mode = AccessMode::read;
    const bool scaled = args.size() > Slots::loss_scale;
    if (scaled) operands[SoftmaxCeBackwardSlots::loss_scale] = args.bound(Slots::loss_scale);
    const std::span<const BoundOperand> own(operands.data(), scaled ? 4 : 3);
    backward_->run(TaskArgs(own, scratch(*backward_)), context);
  }

 private:
  std::unique_ptr<HostKernel> forward_;
  std::unique_ptr<HostKernel> backward_;
};

/// The backward task as the article's lowering has it.
Task backward_of(const Task& task) {
  using Slots = FusedLossSlots;
  Task backward = task;
  backward.kind = task.fused_with->kind;
  backward.part = TaskPart::dX;
  backward.fused_with.reset();
  backward.operands = {task.operands[Slots::probabilities], task.operands[Slots::labels],
                       task.operands[Slots::dlogits]};
  backward.operands[SoftmaxCeBackwardSlots::probabilities].mode = AccessMode::read;
  if (task.operands.size() > Slots::loss_scale)
    backward.operands.push_back(task.operands[Slots::loss_scale]);
  return backward;
}

}  // namespace

std::unique_ptr<HostKernel> make_fused_loss_host(const Task& task, const TensorTable& tensors) {
  Task forward = task;
  forward.fused_with.reset();
  forward.operands.resize(FusedLossSlots::dlogits);
  const Task backward = backward_of(task);
  if (task.kind == OpKind(ComputeOp::SOFTMAX_CE_FP32_FWD)) {
    return std::make_unique<FusedLoss>(make_softmax_ce_forward_host(forward, tensors),
                                       make_softmax_ce_backward_host(backward, tensors));
  }
  return std::make_unique<FusedLoss>(
      make_amp_host(forward, tensors, make_softmax_ce_forward_host),
      make_amp_host(backward, tensors, make_softmax_ce_backward_host));
}

}  // namespace quintet
