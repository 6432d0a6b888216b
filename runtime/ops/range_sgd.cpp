#include "runtime/ops/range_sgd.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// Operations per element: two for the momentum, two for the step, two more for each extra.
double flops_per_element(const SgdHyper& hyper) {
  return 4.0 + (hyper.weight_decay != 0.0F ? 2.0 : 0.0) + (hyper.nesterov ? 2.0 : 0.0);
}

}  // namespace

std::vector<Task> lower_range_sgd(const Op& op, const TensorTable& tensors) {
  assert((op.inputs.size() == 1 || op.inputs.size() == 2) && op.regions.size() == 3);
  const auto& hyper = std::get<SgdHyper>(op.attributes);
  std::vector<Operand> operands = {update_of(op.regions[0]), read_of(op.regions[1]),
                                   update_of(op.regions[2])};
  for (const TensorId input : op.inputs)
    operands.push_back(read_of(input));
  return {make_part(tensors, TaskPart::update, std::move(operands),
                    flops_per_element(hyper) * elements_of(tensors, op.regions[0]))};
}

}  // namespace quintet
