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

/// Throws where the producer has no case.
inline FusedCase make_fused_case(const FusionPattern& pattern, TestRandom& random) {
  FusedCase both{make_op_case(pattern.producer, random).value(), {}};
  Tensor y = both.made.tensors[both.made.op.outputs[0]];
  Op relu;
  relu.id = OpId(1);
  relu.kind = pattern.consumer;
  relu.layer = "relu";
  relu.inputs = {y.id};
  y.name = "relu/Y";
  relu.outputs = {both.made.tensors.add(y)};
  if (random.integer(0, 2) > 0) {
    y.name = "relu/mask";
    y.dtype = DType::U8;
    relu.outputs.push_back(both.made.tensors.add(y));
  }
  both.ops = {both.made.op, relu};
  return both;
}

}  // namespace quintet
