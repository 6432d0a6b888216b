/// The ReLU that a library call's task does after its own work, where it is fused with one.
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

  /// Nothing where the task is fused with none.
  void launch(DType dtype, void* y, std::int64_t elements, const TaskArgs& args,
              cudaStream_t stream) const {
    if (!fused_) return;
    launch_relu_in_place(dtype, y, mask_ ? args.write<std::uint8_t>(*mask_) : nullptr, elements,
                         stream);
  }

 private:
  bool fused_ = false;
  std::optional<std::size_t> mask_;
};

}  // namespace quintet
