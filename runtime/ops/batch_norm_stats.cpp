#include "runtime/ops/batch_norm_stats.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

// Per channel: addition, square root, division; multiplication, subtraction.
constexpr double kEqFlops = 5;
// Per statistic: two multiplications and an addition.
constexpr double kAverageFlops = 3;

}  // namespace

std::vector<Task> lower_batch_norm_eq(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 3 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::update,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), read_of(op.inputs[2]),
                     write_of(op.outputs[0])},
                    kEqFlops * elements_of(tensors, op.inputs[0]))};
}

std::vector<Task> lower_range_bn_stats(const Op& op, const TensorTable& tensors) {
  assert(op.regions.size() == 2);
  return {make_part(tensors, TaskPart::update, {update_of(op.regions[0]), read_of(op.regions[1])},
                    kAverageFlops * elements_of(tensors, op.regions[0]))};
}

}  // namespace quintet
