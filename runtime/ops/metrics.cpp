#include "runtime/ops/metrics.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

std::vector<Task> lower_metrics(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 3 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::Y,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), read_of(op.inputs[2]),
                     write_of(op.outputs[0])},
                    elements_of(tensors, op.inputs[0]) + elements_of(tensors, op.inputs[1]))};
}

}  // namespace quintet
