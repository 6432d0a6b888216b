#include "runtime/ops/learning_rate.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

std::vector<Task> lower_lr_from_table(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 1);
  Task task = make_part(
      tensors, TaskPart::update,
      {read_of(op.inputs[0], AccessBound::upper), read_of(op.inputs[1]), write_of(op.outputs[0])},
      0);
  task.bytes += static_cast<double>(bytes_of(DType::F32));  // the one entry of the table
  return {task};
}

std::vector<Task> lower_scalar_increment(const Op& op, const TensorTable& tensors) {
  assert(op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::update, {update_of(op.outputs[0])}, 1)};
}

}  // namespace quintet
