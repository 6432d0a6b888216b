#include "runtime/ops/range_cast.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

std::vector<Task> lower_cast(const Op& op, const TensorTable& tensors, TaskPart part,
                             Operand (*output_of)(OperandTarget target), double flops) {
  assert(!op.inputs.empty() && op.inputs.size() == op.outputs.size());
  std::vector<Operand> operands;
  double elements = 0;
  for (const TensorId input : op.inputs) {
    operands.push_back(read_of(input));
    elements += elements_of(tensors, input);
  }
  for (const TensorId output : op.outputs)
    operands.push_back(output_of(output));
  return {make_part(tensors, part, std::move(operands), flops * elements)};
}

}  // namespace

std::vector<Task> lower_cast_to_fp16(const Op& op, const TensorTable& tensors) {
  return lower_cast(op, tensors, TaskPart::copy, write_of, 0);
}

std::vector<Task> lower_cast_to_fp32(const Op& op, const TensorTable& tensors) {
  return lower_cast(op, tensors, TaskPart::update, update_of, 1);
}

}  // namespace quintet
