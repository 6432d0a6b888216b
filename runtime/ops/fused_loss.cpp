#include "runtime/ops/fused_loss.h"

#include <algorithm>

#include "runtime/ops/softmax_ce.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

bool is_forward(const Task& task) {
  return task.kind == OpKind(ComputeOp::SOFTMAX_CE_FP32_FWD) ||
         task.kind == OpKind(ComputeOp::SOFTMAX_CE_AMP_FWD);
}

bool is_backward(const Task& task) {
  return task.kind == OpKind(ComputeOp::SOFTMAX_CE_FP32_BWD) ||
         task.kind == OpKind(ComputeOp::SOFTMAX_CE_AMP_BWD);
}

/// True where `backward` is that of `forward`'s batch, in the same sub-graph.
bool belong_together(const Task& forward, const Task& backward) {
  using Forward = SoftmaxCeForwardSlots;
  using Backward = SoftmaxCeBackwardSlots;
  return is_backward(backward) && forward.graph == backward.graph &&
         forward.shape == backward.shape &&
         backward.operands[Backward::probabilities].target ==
             forward.operands[Forward::probabilities].target;
}

Task forward_and_backward(Task forward, const Task& backward, const TensorTable& tensors) {
  forward.fused_with = FusedOp{backward.kind, forward.operands.size()};
  const auto own = backward.operands.begin() + SoftmaxCeBackwardSlots::dlogits;
  forward.operands.insert(forward.operands.end(), own, backward.operands.end());
  forward.covers.insert(forward.covers.end(), backward.covers.begin(), backward.covers.end());
  forward.flops += backward.flops;
  forward.bytes = 0;
  for (const Operand& operand : forward.operands)
    forward.bytes += bytes_moved(operand, tensors);
  return forward;
}

}  // namespace

void fuse_loss(std::vector<Task>& tasks, const TensorTable& tensors) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (!is_forward(tasks[i])) continue;
    const auto backward = std::find_if(tasks.begin(), tasks.end(), [&](const Task& task) {
      return belong_together(tasks[i], task);
    });
    if (backward == tasks.end()) continue;
    tasks[i] = forward_and_backward(std::move(tasks[i]), *backward, tensors);
    tasks.erase(backward);
  }
}

}  // namespace quintet
