#include "runtime/ops/activation.h"

#include <algorithm>
#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// The four kinds of one function, and its operations per element; an exponential counts as one.
struct ActivationFamily {
  Activation activation;
  ComputeOp fp32_forward, fp32_backward, amp_forward, amp_backward;
  double value_flops;       ///< of Y
  double derivative_flops;  ///< of `saved`, beside those of Y
  double backward_flops;
};

constexpr ActivationFamily kActivationFamilies[] = {
    {Activation::RELU6, ComputeOp::RELU6_FP32_FWD, ComputeOp::RELU6_FP32_BWD,
     ComputeOp::RELU6_AMP_FWD, ComputeOp::RELU6_AMP_BWD, 2, 0, 1},
    {Activation::LEAKY_RELU, ComputeOp::LEAKY_RELU_FP32_FWD, ComputeOp::LEAKY_RELU_FP32_BWD,
     ComputeOp::LEAKY_RELU_AMP_FWD, ComputeOp::LEAKY_RELU_AMP_BWD, 2, 0, 2},
    {Activation::TANH, ComputeOp::TANH_FP32_FWD, ComputeOp::TANH_FP32_BWD, ComputeOp::TANH_AMP_FWD,
     ComputeOp::TANH_AMP_BWD, 4, 4, 1},
    {Activation::SILU, ComputeOp::SILU_FP32_FWD, ComputeOp::SILU_FP32_BWD, ComputeOp::SILU_AMP_FWD,
     ComputeOp::SILU_AMP_BWD, 4, 4, 1},
    {Activation::SIGMOID, ComputeOp::SIGMOID_FP32_FWD, ComputeOp::SIGMOID_FP32_BWD,
     ComputeOp::SIGMOID_AMP_FWD, ComputeOp::SIGMOID_AMP_BWD, 3, 2, 1},
    {Activation::HARDSWISH, ComputeOp::HARDSWISH_FP32_FWD, ComputeOp::HARDSWISH_FP32_BWD,
     ComputeOp::HARDSWISH_AMP_FWD, ComputeOp::HARDSWISH_AMP_BWD, 5, 4, 1},
    {Activation::ELU, ComputeOp::ELU_FP32_FWD, ComputeOp::ELU_FP32_BWD, ComputeOp::ELU_AMP_FWD,
     ComputeOp::ELU_AMP_BWD, 4, 1, 1},
};

const ActivationFamily* family_of(OpKind kind) {
  const auto* const found =
      std::find_if(std::begin(kActivationFamilies), std::end(kActivationFamilies),
                   [&](const ActivationFamily& f) {
                     return kind == OpKind(f.fp32_forward) || kind == OpKind(f.fp32_backward) ||
                            kind == OpKind(f.amp_forward) || kind == OpKind(f.amp_backward);
                   });
  return found == std::end(kActivationFamilies) ? nullptr : found;
}

}  // namespace

std::optional<Activation> activation_of(OpKind kind) {
  const ActivationFamily* const family = family_of(kind);
  if (family == nullptr) return std::nullopt;
  return family->activation;
}

DType saved_dtype_of(Activation activation) {
  const bool mask = activation == Activation::RELU6 || activation == Activation::LEAKY_RELU;
  return mask ? DType::U8 : DType::F32;
}

std::vector<Task> lower_activation_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && (op.outputs.size() == 1 || op.outputs.size() == 2));
  const ActivationFamily* const family = family_of(op.kind);
  assert(family != nullptr);
  std::vector<Operand> operands = {read_of(op.inputs[0])};
  for (const TensorId output : op.outputs)
    operands.push_back(write_of(output));
  const double flops =
      family->value_flops + (op.outputs.size() > 1 ? family->derivative_flops : 0.0);
  return {make_part(tensors, TaskPart::Y, std::move(operands),
                    flops * elements_of(tensors, op.inputs[0]))};
}

std::vector<Task> lower_activation_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 1);
  const ActivationFamily* const family = family_of(op.kind);
  assert(family != nullptr);
  return {make_part(tensors, TaskPart::dX,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0])},
                    family->backward_flops * elements_of(tensors, op.outputs[0]))};
}

}  // namespace quintet
