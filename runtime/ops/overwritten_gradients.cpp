#include "runtime/ops/overwritten_gradients.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// The operand as a gradient that the task adds to; null for all others.
const Tensor* added_to(const Operand& operand, const TensorTable& tensors) {
  const auto* const id = std::get_if<TensorId>(&operand.target);
  if (id == nullptr || operand.mode != AccessMode::update) return nullptr;
  const Tensor& tensor = tensors.storage_of(*id);
  return tensor.role == TensorRole::weight_gradient ? &tensor : nullptr;
}

bool accumulates(const Task& task) {
  if (task.graph == GraphId::ZERO_HALF_GRAD) return true;
  const auto* const scale = std::get_if<GradientScaleHyper>(&task.attributes);
  return scale != nullptr && scale->micro_batches != 1;
}

bool clears(const Task& task) {
  return task.kind == OpKind(RangeOp::RANGE_CLEAR) && task.graph == GraphId::ZERO_GRAD;
}

/// True where no step adds twice to one gradient: a step is of one shape, and of one slot.
bool added_to_once(const std::vector<Task>& tasks, const TensorTable& tensors) {
  std::map<std::tuple<TensorId, ShapeId, std::optional<BufferSlot>>, int> times;
  for (const Task& task : tasks) {
    for (const Operand& operand : task.operands) {
      const Tensor* const gradient = added_to(operand, tensors);
      if (gradient == nullptr) continue;
      if (++times[{gradient->id, task.shape, slot_of(task.graph)}] > 1) return false;
    }
  }
  return true;
}

}  // namespace

void overwrite_gradients(std::vector<Task>& tasks, const TensorTable& tensors) {
  const bool cleared = std::any_of(tasks.begin(), tasks.end(), clears);
  if (!cleared || std::any_of(tasks.begin(), tasks.end(), accumulates) ||
      !added_to_once(tasks, tensors)) {
    return;
  }
  for (Task& task : tasks) {
    bool changed = false;
    for (Operand& operand : task.operands) {
      if (added_to(operand, tensors) == nullptr) continue;
      operand.mode = AccessMode::write;
      changed = true;
    }
    if (!changed) continue;
    task.bytes = 0;
    for (const Operand& operand : task.operands)
      task.bytes += bytes_moved(operand, tensors);
  }
  tasks.erase(std::remove_if(tasks.begin(), tasks.end(), clears), tasks.end());
}

}  // namespace quintet
