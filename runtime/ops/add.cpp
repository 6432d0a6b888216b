#include "runtime/ops/add.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

std::vector<Task> sum_of_two(const Op& op, const TensorTable& tensors, TaskPart part) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 1);
  return {make_part(tensors, part,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0])},
                    elements_of(tensors, op.outputs[0]))};
}

}  // namespace

std::vector<Task> lower_add_fwd(const Op& op, const TensorTable& tensors) {
  return sum_of_two(op, tensors, TaskPart::Y);
}

std::vector<Task> lower_add_bwd(const Op& op, const TensorTable& tensors) {
  return sum_of_two(op, tensors, TaskPart::dX);
}

}  // namespace quintet
