#include "runtime/ops/adam.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// Per element: three for each moment, the two corrections, root, sum, quotient, rate, step.
constexpr double kAdamFlops = 13;
constexpr double kAdamDecayFlops = 2;

}  // namespace

std::vector<Task> lower_adam_bias_correction(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() <= 1 && op.outputs.size() == 2);
  const bool may_skip = !op.inputs.empty();
  // A step that may be skipped keeps the old correction: then it is updated, not overwritten.
  std::vector<Operand> operands = {update_of(op.outputs[0]),
                                   may_skip ? update_of(op.outputs[1]) : write_of(op.outputs[1])};
  if (may_skip) operands.push_back(read_of(op.inputs[0]));
  return {make_part(tensors, TaskPart::update, std::move(operands), 0)};
}

std::vector<Task> lower_range_adam(const Op& op, const TensorTable& tensors) {
  assert(op.regions.size() == 4 && (op.inputs.size() == 2 || op.inputs.size() == 3));
  std::vector<Operand> operands = {update_of(op.regions[0]), read_of(op.regions[1]),
                                   update_of(op.regions[2]), update_of(op.regions[3])};
  for (const TensorId input : op.inputs)
    operands.push_back(read_of(input));
  const bool decays = std::get<AdamHyper>(op.attributes).weight_decay != 0.0F;
  const double flops = kAdamFlops + (decays ? kAdamDecayFlops : 0);
  return {make_part(tensors, TaskPart::update, std::move(operands),
                    flops * elements_of(tensors, op.regions[0]))};
}

}  // namespace quintet
