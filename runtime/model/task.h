/// A task: the smallest thing put on a stream. Its operands are the only way its kernel can reach
/// memory, and the only source of its accesses, so the two cannot disagree.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "runtime/model/access.h"
#include "runtime/model/graph_id.h"
#include "runtime/model/ids.h"
#include "runtime/model/op.h"
#include "runtime/model/tensor.h"

namespace quintet {

/// What of its op a task does. Y = forward output; dW, dB, dX = the parts of a backward op.
enum class TaskPart : std::uint8_t { Y, dW, dB, dX, copy, clear, update, host };

inline constexpr std::size_t kTaskPartCount = 8;

constexpr std::string_view name_of(TaskPart part) {
  constexpr std::array<std::string_view, kTaskPartCount> kNames = {
      "Y", "dW", "dB", "dX", "copy", "clear", "update", "host"};
  return kNames[static_cast<std::size_t>(part)];
}

/// What an operand stands for: a tensor, or the whole of the region of that kind (never WORKSPACE).
using OperandTarget = std::variant<TensorId, RegionKind>;

struct Operand {
  OperandTarget target;
  AccessMode mode = AccessMode::read;
  AccessBound bound = AccessBound::exact;
};

/// The op whose work a task of the fused lowering does after its own.
struct FusedOp {
  OpKind kind;
  std::size_t first_operand = 0;  ///< operands from this slot on are that op's alone
};

struct Task {
  TaskId id;
  std::string
      name;  ///< "layer/op/part", e.g. "conv1/CONV_FP32_BWD/dW"; unique within its graph key
  OpId op;
  OpKind kind;
  TaskPart part = TaskPart::Y;
  bool representative = true;  ///< its output is what downstream of the op waits for
  std::string layer;
  GraphId graph = GraphId::DEEP_FWD_BWD;
  ShapeId shape = kAnyShape;
  OpAttributes attributes;
  std::optional<FusedOp> fused_with;
  std::vector<Operand> operands;  ///< in the order of the slots that the op's header names
  std::vector<std::string>
      covers;  ///< semantic ids ("conv1/CONV_FP32_BWD/dW"); the first is the representative
  std::uint64_t workspace_bytes =
      0;  ///< scratch its kernel wants on its stream; set by the executor's kernel planning
  double flops = 0;  ///< arithmetic operations of one run
  double bytes = 0;  ///< bytes its operands move at least: the sum of what it reads and writes
};

}  // namespace quintet
