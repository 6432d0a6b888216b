#include "runtime/ops/loss_scale.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

std::vector<Task> lower_check_nan(const Op& op, const TensorTable& tensors) {
  assert(!op.regions.empty() || !op.inputs.empty());
  assert(op.outputs.size() == 1);
  std::vector<Operand> operands;
  double elements = 0;
  for (const RegionKind region : op.regions) {
    operands.push_back(read_of(region));
    elements += elements_of(tensors, region);
  }
  for (const TensorId tensor : op.inputs) {
    operands.push_back(read_of(tensor));
    elements += elements_of(tensors, tensor);
  }
  operands.push_back(write_of(op.outputs[0]));
  return {make_part(tensors, TaskPart::update, std::move(operands), elements)};
}

std::vector<Task> lower_scale_gradients(const Op& op, const TensorTable& tensors) {
  assert(!op.regions.empty() && op.inputs.size() <= 2);
  assert(std::holds_alternative<GradientScaleHyper>(op.attributes));
  std::vector<Operand> operands;
  double elements = 0;
  for (const RegionKind region : op.regions) {
    operands.push_back(update_of(region));
    elements += elements_of(tensors, region);
  }
  for (const TensorId scalar : op.inputs)
    operands.push_back(read_of(scalar));
  return {make_part(tensors, TaskPart::update, std::move(operands), elements)};
}

std::vector<Task> lower_loss_scale_update(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && op.outputs.size() == 2);
  assert(std::holds_alternative<LossScaleHyper>(op.attributes));
  return {make_part(tensors, TaskPart::update,
                    {read_of(op.inputs[0]), update_of(op.outputs[0]), update_of(op.outputs[1])},
                    1)};
}

}  // namespace quintet
