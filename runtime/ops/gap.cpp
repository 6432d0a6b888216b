#include "runtime/ops/gap.h"

#include <cassert>
#include <fmt/format.h>

#include "runtime/ops/task_parts.h"

namespace quintet {

Result<Shape> gap_output_shape(const Shape& x) {
  if (x.rank() != 4) {
    return fail(
        fmt::format("global average-pooling needs an input of rank 4 (NHWC), got {}", x.text()),
        "put it before flatten and fully connected layers");
  }
  return Shape{x.dim(0), x.dim(3)};
}

std::vector<Task> lower_gap_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::Y, {read_of(op.inputs[0]), write_of(op.outputs[0])},
                    elements_of(tensors, op.inputs[0]))};
}

std::vector<Task> lower_gap_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::dX, {read_of(op.inputs[0]), write_of(op.outputs[0])},
                    elements_of(tensors, op.inputs[0]))};
}

}  // namespace quintet
