#include "runtime/ops/fc.h"

#include <cassert>
#include <fmt/format.h>
#include <utility>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

constexpr std::int64_t kMaxFeatures = 1 << 24;

/// Multiply-adds of any of the three products: N x I x O.
double product_flops(const TensorTable& tensors, TensorId x, TensorId y) {
  return 2 * elements_of(tensors, x) * static_cast<double>(tensors[y].shape.dim(-1));
}

Task weight_gradient(const TensorTable& tensors, TensorId dy, TensorId x, TensorId dw) {
  return make_part(tensors, TaskPart::dW, {read_of(x), read_of(dy), update_of(dw)},
                   product_flops(tensors, x, dy));
}

Task fc_bias_gradient(const TensorTable& tensors, TensorId dy, TensorId db) {
  return make_part(tensors, TaskPart::dB, {read_of(dy), update_of(db)}, elements_of(tensors, dy));
}

}  // namespace

Result<Shape> fc_output_shape(const Shape& x, std::int64_t out_features) {
  if (x.rank() < 2) {
    return fail(
        fmt::format("fully connected layer needs an input of rank 2 or more, got {}", x.text()),
        "give it a batch of feature vectors");
  }
  if (out_features < 1 || out_features > kMaxFeatures) {
    return fail(fmt::format("fully connected layer has {} output features", out_features),
                fmt::format("give a number between 1 and {}", kMaxFeatures));
  }
  return Shape{x.dim(0), out_features};
}

Shape fc_weight_shape(const Shape& x, std::int64_t out_features) {
  return Shape{x.elements() / x.dim(0), out_features};
}

std::vector<Task> lower_fc_fwd(const Op& op, const TensorTable& tensors) {
  assert((op.inputs.size() == 2 || op.inputs.size() == 3) && op.outputs.size() == 1);
  const TensorId x = op.inputs[0];
  const TensorId y = op.outputs[0];
  double flops = product_flops(tensors, x, y);
  std::vector<Operand> operands = {read_of(x), read_of(op.inputs[1]), write_of(y)};
  if (op.inputs.size() == 3) {
    operands.push_back(read_of(op.inputs[2]));
    flops += elements_of(tensors, y);
  }
  return {make_part(tensors, TaskPart::Y, std::move(operands), flops)};
}

std::vector<Task> lower_fc_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 3 && (op.outputs.size() == 2 || op.outputs.size() == 3));
  const TensorId dy = op.inputs[0];
  const TensorId x = op.inputs[1];
  std::vector<Task> tasks = {weight_gradient(tensors, dy, x, op.outputs[0])};
  if (op.outputs.size() == 3) tasks.push_back(fc_bias_gradient(tensors, dy, op.outputs[1]));
  for (Task& task : tasks)
    task.representative = false;
  tasks.push_back(make_part(tensors, TaskPart::dX,
                            {read_of(dy), read_of(op.inputs[2]), write_of(op.outputs.back())},
                            product_flops(tensors, x, dy)));
  return tasks;
}

std::vector<Task> lower_fc_bwd_first_layer(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && (op.outputs.size() == 1 || op.outputs.size() == 2));
  std::vector<Task> tasks = {weight_gradient(tensors, op.inputs[0], op.inputs[1], op.outputs[0])};
  if (op.outputs.size() == 2) {
    tasks.push_back(fc_bias_gradient(tensors, op.inputs[0], op.outputs[1]));
    tasks.back().representative = false;
  }
  return tasks;
}

}  // namespace quintet
