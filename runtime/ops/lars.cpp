#include "runtime/ops/lars.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// Per element: two for each norm, four for momentum and step, two for the decay.
constexpr double kLarsFlops = 8;
constexpr double kLarsDecayFlops = 2;

}  // namespace

std::vector<Task> lower_lars(const Op& op, const TensorTable& tensors) {
  const std::size_t count = op.outputs.size() / 2;
  assert(count > 0 && op.outputs.size() == 2 * count);
  assert(op.inputs.size() == count + 1 || op.inputs.size() == count + 2);
  std::vector<Operand> operands;
  for (std::size_t i = 0; i <= count; ++i)
    operands.push_back(read_of(op.inputs[i]));
  double elements = 0;
  for (std::size_t i = 0; i < op.outputs.size(); ++i) {
    operands.push_back(update_of(op.outputs[i]));
    if (i % 2 == 0) elements += elements_of(tensors, op.outputs[i]);
  }
  if (op.inputs.size() == count + 2) operands.push_back(read_of(op.inputs.back()));
  const bool decays = std::get<LarsHyper>(op.attributes).weight_decay != 0.0F;
  return {make_part(tensors, TaskPart::update, std::move(operands),
                    (kLarsFlops + (decays ? kLarsDecayFlops : 0)) * elements)};
}

}  // namespace quintet
