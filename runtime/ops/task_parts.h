/// Builders that the lowerings of all ops share: operands by mode, and a task with its byte count.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

inline Operand read_of(OperandTarget target, AccessBound bound = AccessBound::exact) {
  return {target, AccessMode::read, bound};
}
inline Operand write_of(OperandTarget target) {
  return {target, AccessMode::write, AccessBound::exact};
}
inline Operand update_of(OperandTarget target) {
  return {target, AccessMode::update, AccessBound::exact};
}

/// Bytes moved at least: once for a read or a write, twice for an update, nothing for a range that
/// is only touched somewhere (AccessBound::upper: the op adds what it does touch). A region counts
/// with the tensors that lie in it for all shapes, without the gaps between them.
double bytes_moved(const Operand& operand, const TensorTable& tensors);

/// A task of that part with operands in slot order; `bytes` is the sum of bytes_moved.
Task make_part(const TensorTable& tensors, TaskPart part, std::vector<Operand> operands,
               double flops);

/// Elements of a tensor as flops are counted in.
double elements_of(const TensorTable& tensors, TensorId tensor);

/// Elements of the tensors that lie in a region for all shapes.
double elements_of(const TensorTable& tensors, RegionKind region);

/// "layer/KIND/part": the name of a task of the article's lowering, and what Task::covers lists.
std::string semantic_id(const Op& op, TaskPart part);

/// True where the task adds to the operand, false where it overwrites it.
inline bool adds_to(const Task& task, std::size_t slot) {
  return task.operands[slot].mode == AccessMode::update;
}

/// Shape of the tensor in an operand slot (not a region).
const Shape& operand_shape(const Task& task, const TensorTable& tensors, std::size_t slot);

}  // namespace quintet
