#include "runtime/ops/fused_relu_backward.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "runtime/ops/fc.h"
#include "runtime/ops/relu.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// The kind of the ReLU that may follow; nothing where the task is no input gradient of such a layer.
std::optional<OpKind> wanted_after(const Task& task) {
  if (task.part != TaskPart::dX || task.fused_with) return std::nullopt;
  if (task.kind == OpKind(ComputeOp::FC_FP32_BWD)) return ComputeOp::RELU_FP32_BWD;
  if (task.kind == OpKind(ComputeOp::FC_AMP_BWD)) return ComputeOp::RELU_AMP_BWD;
  return std::nullopt;
}

TensorId tensor_in(const Task& task, std::size_t slot) {
  return std::get<TensorId>(task.operands[slot].target);
}

/// True where the task reads or writes bytes of the tensor.
bool touches(const Task& task, TensorId tensor, const TensorTable& tensors) {
  const Tensor& storage = tensors.storage_of(tensor);
  return std::any_of(task.operands.begin(), task.operands.end(), [&](const Operand& operand) {
    const auto* const id = std::get_if<TensorId>(&operand.target);
    if (id == nullptr) return std::get<RegionKind>(operand.target) == storage.region;
    return tensors.storage_of(*id).id == storage.id;
  });
}

/// The place of the ReLU that `tasks[at]` can do the work of.
std::optional<std::size_t> relu_after(const std::vector<Task>& tasks, std::size_t at,
                                      const TensorTable& tensors) {
  const std::optional<OpKind> wanted = wanted_after(tasks[at]);
  if (!wanted) return std::nullopt;
  const TensorId between = tensor_in(tasks[at], FcInputGradientSlots::dX);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (i == at || !touches(tasks[i], between, tensors)) continue;
    if (found || i < at) return std::nullopt;
    found = i;
  }
  if (!found) return std::nullopt;
  const Task& relu = tasks[*found];
  using Slots = ReluBackwardSlots;
  if (relu.kind != *wanted || relu.graph != tasks[at].graph || relu.shape != tasks[at].shape ||
      relu.operands[Slots::dY].target != OperandTarget(between)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < *found; ++i) {
    if (touches(tasks[i], tensor_in(relu, Slots::dX), tensors)) return std::nullopt;
    if (i > at && touches(tasks[i], tensor_in(relu, Slots::mask), tensors)) return std::nullopt;
  }
  return found;
}

Task gradient_and_relu(Task gradient, const Task& relu, const TensorTable& tensors) {
  assert(gradient.operands.size() == FusedReluBackwardSlots::mask);
  gradient.operands[FusedReluBackwardSlots::dX].target =
      relu.operands[ReluBackwardSlots::dX].target;
  gradient.fused_with = FusedOp{relu.kind, FusedReluBackwardSlots::mask};
  gradient.operands.push_back(relu.operands[ReluBackwardSlots::mask]);
  gradient.covers.insert(gradient.covers.end(), relu.covers.begin(), relu.covers.end());
  gradient.flops += relu.flops;
  gradient.bytes = 0;
  for (const Operand& operand : gradient.operands)
    gradient.bytes += bytes_moved(operand, tensors);
  return gradient;
}

}  // namespace

void fuse_relu_backward(std::vector<Task>& tasks, const TensorTable& tensors) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const std::optional<std::size_t> relu = relu_after(tasks, i, tensors);
    if (!relu) continue;
    tasks[i] = gradient_and_relu(std::move(tasks[i]), tasks[*relu], tensors);
    tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(*relu));
  }
}

}  // namespace quintet
