/// The ReLU that a library call's task does after its own work, where it is fused with one, and the
/// backward of a ReLU that the task of an input gradient does.
#pragma once

#include <cassert>
#include <optional>

#include "runtime/model/task.h"
#include "runtime/model/task_args.h"
#include "runtime/ops/elementwise_pass.h"

namespace quintet {

class FusedRelu {
 public:
  /// What the task is fused with; the mask is the operand after the producer's own, where it has
  /// one.
  static FusedRelu of(const Task& task) {
    FusedRelu relu;
    if (!task.fused_with) return relu;
    assert(task.fused_with->kind == OpKind(ComputeOp::RELU_FP32_FWD) ||
           task.fused_with->kind == OpKind(ComputeOp::RELU_AMP_FWD));
    relu.fused_ = true;
    if (task.operands.size() > task.fused_with->first_operand)
      relu.mask_ = task.fused_with->first_operand;
    return relu;
  }
  /// How many operands are the producer's own.
  static std::size_t own_operands(const Task& task) {
    return task.fused_with ? task.fused_with->first_operand : task.operands.size();
  }

  [[nodiscard]] bool fused() const { return fused_; }
  /// Null where there is none.
  [[nodiscard]] std::uint8_t* mask(const TaskArgs& args) const {
    return mask_ ? args.write<std::uint8_t>(*mask_) : nullptr;
  }
  /// Nothing where the task is fused with none.
  void launch(DType dtype, void* y, std::int64_t elements, const TaskArgs& args,
              cudaStream_t stream) const {
    if (!fused_) return;
    launch_relu_in_place(dtype, y, mask(args), elements, stream);
  }

 private:
  bool fused_ = false;
  std::optional<std::size_t> mask_;
};

class FusedReluBackward {
 public:
  static FusedReluBackward of(const Task& task) {
    FusedReluBackward relu;
    if (!task.fused_with) return relu;
    assert(task.fused_with->kind == OpKind(ComputeOp::RELU_FP32_BWD) ||
           task.fused_with->kind == OpKind(ComputeOp::RELU_AMP_BWD));
    relu.mask_ = task.fused_with->first_operand;
    return relu;
  }

  /// Null where the task is fused with none.
  [[nodiscard]] const std::uint8_t* mask(const TaskArgs& args) const {
    return mask_ ? args.read<std::uint8_t>(*mask_) : nullptr;
  }
  /// Nothing where the task is fused with none.
  void launch(DType dtype, void* dx, std::int64_t elements, const TaskArgs& args,
              cudaStream_t stream) const {
    if (mask_) launch_mask_in_place(dtype, dx, mask(args), elements, stream);
  }

 private:
  std::optional<std::size_t> mask_;
};

}  // namespace quintet
