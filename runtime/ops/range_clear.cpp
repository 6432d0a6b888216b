#include "runtime/ops/range_clear.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

std::vector<Task> lower_range_clear(const Op& op, const TensorTable& tensors) {
  assert(!op.regions.empty());
  std::vector<Operand> operands;
  for (const RegionKind region : op.regions)
    operands.push_back(write_of(region));
  return {make_part(tensors, TaskPart::clear, std::move(operands), 0)};
}

}  // namespace quintet
