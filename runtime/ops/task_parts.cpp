#include "runtime/ops/task_parts.h"

#include <fmt/format.h>
#include <utility>

namespace quintet {

namespace {

template <class Measure>
double sum_over_region(const TensorTable& tensors, RegionKind region, Measure measure) {
  double sum = 0;
  for (const Tensor& tensor : tensors.all()) {
    if (tensor.region != region || tensor.view_of || tensor.variant != kAnyShape) continue;
    sum += static_cast<double>(measure(tensor));
  }
  return sum;
}

}  // namespace

double bytes_moved(const Operand& operand, const TensorTable& tensors) {
  if (operand.bound == AccessBound::upper) return 0;
  double bytes = 0;
  if (const auto* tensor = std::get_if<TensorId>(&operand.target)) {
    bytes = static_cast<double>(tensors[*tensor].bytes());
  } else {
    bytes = sum_over_region(tensors, std::get<RegionKind>(operand.target),
                            [](const Tensor& t) { return t.bytes(); });
  }
  return operand.mode == AccessMode::update ? 2 * bytes : bytes;
}

Task make_part(const TensorTable& tensors, TaskPart part, std::vector<Operand> operands,
               double flops) {
  Task task;
  task.part = part;
  task.operands = std::move(operands);
  task.flops = flops;
  for (const Operand& operand : task.operands)
    task.bytes += bytes_moved(operand, tensors);
  return task;
}

double elements_of(const TensorTable& tensors, TensorId tensor) {
  return static_cast<double>(tensors[tensor].shape.elements());
}

double elements_of(const TensorTable& tensors, RegionKind region) {
  return sum_over_region(tensors, region, [](const Tensor& t) { return t.shape.elements(); });
}

std::string semantic_id(const Op& op, TaskPart part) {
  return fmt::format("{}/{}/{}", op.layer, name_of(op.kind), name_of(part));
}

const Shape& operand_shape(const Task& task, const TensorTable& tensors, std::size_t slot) {
  return tensors[std::get<TensorId>(task.operands[slot].target)].shape;
}

}  // namespace quintet
