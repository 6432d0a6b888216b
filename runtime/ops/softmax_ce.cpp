#include "runtime/ops/softmax_ce.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

// Per element: maximum, subtraction, exponential, sum, division.
constexpr double kForwardFlops = 5;
// Per element: subtraction, division.
constexpr double kBackwardFlops = 2;

}  // namespace

std::vector<Task> lower_softmax_ce_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 2);
  return {make_part(tensors, TaskPart::Y,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0]),
                     write_of(op.outputs[1])},
                    kForwardFlops * elements_of(tensors, op.inputs[0]))};
}

std::vector<Task> lower_softmax_ce_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::dX,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0])},
                    kBackwardFlops * elements_of(tensors, op.outputs[0]))};
}

}  // namespace quintet
