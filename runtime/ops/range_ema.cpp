#include "runtime/ops/range_ema.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

std::vector<Task> lower_range_ema(const Op& op, const TensorTable& tensors) {
  assert(op.regions.size() == 2 && op.inputs.size() <= 1);
  assert(std::holds_alternative<EmaHyper>(op.attributes));
  std::vector<Operand> operands = {update_of(op.regions[0]), read_of(op.regions[1])};
  for (const TensorId found_inf : op.inputs)
    operands.push_back(read_of(found_inf));
  return {make_part(tensors, TaskPart::update, std::move(operands),
                    3 * elements_of(tensors, op.regions[0]))};
}

}  // namespace quintet
