#include "runtime/ops/batch_norm.h"

#include <cassert>
#include <fmt/format.h>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

// Per element: subtraction and addition for the mean, multiplication and addition for the variance;
// subtraction, multiplication and addition for Y.
constexpr double kNormForwardFlops = 7;
// Per element: subtraction, multiplication and two additions for the sums; two subtractions, two
// multiplications and a subtraction for dX.
constexpr double kNormBackwardFlops = 9;
constexpr double kInferenceFlops = 2;

}  // namespace

Result<Shape> batch_norm_output_shape(const Shape& x) {
  if (x.rank() != 2 && x.rank() != 4) {
    return fail(fmt::format("batch normalisation needs an input of rank 2 (NC) or 4 (NHWC), got {}",
                            x.text()),
                "put it after a convolution or a fully connected layer");
  }
  return x;
}

std::vector<Task> lower_batch_norm_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 3 && op.outputs.size() == 4);
  std::vector<Operand> operands;
  for (const TensorId input : op.inputs)
    operands.push_back(read_of(input));
  for (const TensorId output : op.outputs)
    operands.push_back(write_of(output));
  return {make_part(tensors, TaskPart::Y, std::move(operands),
                    kNormForwardFlops * elements_of(tensors, op.inputs[0]))};
}

std::vector<Task> lower_batch_norm_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 5 && op.outputs.size() == 3);
  std::vector<Operand> operands;
  for (const TensorId input : op.inputs)
    operands.push_back(read_of(input));
  operands.push_back(update_of(op.outputs[0]));
  operands.push_back(update_of(op.outputs[1]));
  operands.push_back(write_of(op.outputs[2]));
  Task task = make_part(tensors, TaskPart::dX, std::move(operands),
                        kNormBackwardFlops * elements_of(tensors, op.inputs[0]));
  for (const TaskPart part : {TaskPart::dX, TaskPart::dW, TaskPart::dB})
    task.covers.push_back(semantic_id(op, part));
  return {task};
}

std::vector<Task> lower_batch_norm_inf(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::Y,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0])},
                    kInferenceFlops * elements_of(tensors, op.inputs[0]))};
}

}  // namespace quintet
