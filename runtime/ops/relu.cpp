#include "runtime/ops/relu.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

std::vector<Task> lower_relu_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && (op.outputs.size() == 1 || op.outputs.size() == 2));
  std::vector<Operand> operands = {read_of(op.inputs[0])};
  for (const TensorId output : op.outputs)
    operands.push_back(write_of(output));
  return {
      make_part(tensors, TaskPart::Y, std::move(operands), elements_of(tensors, op.outputs[0]))};
}

std::vector<Task> lower_relu_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::dX,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0])},
                    elements_of(tensors, op.outputs[0]))};
}

}  // namespace quintet
