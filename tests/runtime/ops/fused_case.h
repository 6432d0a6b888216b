/// A pair of ops that a fusion pattern takes, of random shape.
#pragma once

#include <utility>
#include <vector>

#include "runtime/ops/fusion.h"
#include "tests/runtime/ops/op_cases.h"

namespace quintet {

/// `made.op` is the producer; `ops` are it and the ReLU that follows it, with or without a mask.
struct FusedCase {
  OpCase made;
  std::vector<Op> ops;
};

/// The case of a fully connected backward, followed by the backward of the ReLU before that layer.
inline FusedCase with_relu_backward(OpCase made) {
  FusedCase both{std::move(made), {}};
  Tensor dx = both.made.tensors[both.made.op.outputs.back()];
  Op relu;
  relu.id = OpId(1);
  relu.kind = both.made.op.kind == OpKind(ComputeOp::FC_AMP_BWD) ? ComputeOp::RELU_AMP_BWD
                                                                 : ComputeOp::RELU_FP32_BWD;
  relu.layer = "relu";
  relu.inputs = {dx.id};
  dx.name = "relu/dX";
  relu.outputs = {both.made.tensors.add(dx)};
  dx.name = "relu/mask";
  dx.dtype = DType::U8;
  relu.inputs.push_back(both.made.tensors.add(dx));
  both.ops = {both.made.op, relu};
  return both;
}

/// The case of a forward op, followed by a ReLU of that kind.
inline FusedCase with_relu(OpCase made, OpKind kind, bool mask) {
  FusedCase both{std::move(made), {}};
  Tensor y = both.made.tensors[both.made.op.outputs[0]];
  Op relu;
  relu.id = OpId(1);
  relu.kind = kind;
  relu.layer = "relu";
  relu.inputs = {y.id};
  y.name = "relu/Y";
  relu.outputs = {both.made.tensors.add(y)};
  if (mask) {
    y.name = "relu/mask";
    y.dtype = DType::U8;
    relu.outputs.push_back(both.made.tensors.add(y));
  }
  both.ops = {both.made.op, relu};
  return both;
}

/// Throws where the producer has no case.
inline FusedCase make_fused_case(const FusionPattern& pattern, TestRandom& random) {
  OpCase made = make_op_case(pattern.producer, random).value();
  return with_relu(std::move(made), pattern.consumer, random.integer(0, 2) > 0);
}

}  // namespace quintet
