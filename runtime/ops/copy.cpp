#include "runtime/ops/copy.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

std::vector<Task> lower_copy(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && op.outputs.size() == 1);
  assert(tensors[op.inputs[0]].bytes() == tensors[op.outputs[0]].bytes());
  return {make_part(tensors, TaskPart::copy, {read_of(op.inputs[0]), write_of(op.outputs[0])}, 0)};
}

}  // namespace quintet
