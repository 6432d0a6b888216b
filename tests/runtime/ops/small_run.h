/// An op over a few given values, run once on the host.
#pragma once

#include <utility>

#include "tests/runtime/ops/planned_op.h"

namespace quintet {

/// An op over tensors of given shapes, dtypes and values, run once.
struct SmallRun {
  OpCase made;
  std::vector<std::pair<TensorId, std::vector<double>>> given;

  explicit SmallRun(OpKind kind) {
    made.op.kind = kind;
    made.op.layer = "small";
  }
  TensorId add(const Shape& shape, DType dtype = DType::F32) {
    Tensor tensor;
    tensor.shape = shape;
    tensor.dtype = dtype;
    return made.tensors.add(tensor);
  }
  void input(const Shape& shape, std::vector<double> values, DType dtype = DType::F32) {
    made.op.inputs.push_back(add(shape, dtype));
    given.emplace_back(made.op.inputs.back(), std::move(values));
  }
  void output(const Shape& shape, DType dtype = DType::F32) {
    made.op.outputs.push_back(add(shape, dtype));
  }
  /// Values of the outputs, in order.
  std::vector<std::vector<double>> run() {
    const auto planned = plan_op(made);
    TaskArena arena(planned->op_case.tensors, planned->memory);
    for (const auto& [id, values] : given)
      arena.set(id, values);
    planned->run(arena);
    std::vector<std::vector<double>> outputs;
    for (const TensorId id : made.op.outputs)
      outputs.push_back(arena.values(id));
    return outputs;
  }
};

}  // namespace quintet
