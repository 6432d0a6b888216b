/// The fused lowering of AMP's end of a step under SGD: one task does what ten do in the article.
///
/// op kinds, in program order                      | fused
/// RANGE_CAST_FP16_TO_FP32 (deep, first)           | gone: the halves are read where they lie
/// RANGE_CHECK_NAN                                 | checks those halves, and the gradients that are floats
/// RANGE_SCALE_GRADIENTS                           | in the update
/// LOSS_SCALE_UPDATE                               | at the end of the update, which needs the old scale
/// RANGE_SGD_UPDATE (deep, first)                  | the update: one task over all parameters
/// RANGE_CAST_FP32_TO_FP16 (deep, first)           | in the update
///
/// The update reads each gradient once, divides by the loss scale, applies SgdHyper's formula to
/// weight and momentum and rounds the weight to its FP16 copy: the same arithmetic in the same order,
/// so the same bits. With found_inf set it changes the loss scale alone. It has the kind of
/// RANGE_SGD_UPDATE, ScaledSgdHyper, is fused_with RANGE_CAST_FP32_TO_FP16, and stands in OPTIMIZER. Not fused: accumulated micro-batches,
/// gradients that something else reads (an all-reduce), other optimizers.
#pragma once

#include <memory>
#include <vector>

#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

class CudaKernel;
class HostKernel;
class KernelPlanner;

/// Operands of the update: {lr, loss_scale, found_inf, good_steps}, then {gradient F16, weight, momentum, half}
/// of each parameter with an FP16 copy, then {gradient F32, weight, momentum} of the others.
struct FusedUpdateSlots {
  enum : std::size_t { lr, loss_scale, found_inf, good_steps, parameters };
  std::size_t halved = 0;
  std::size_t plain = 0;

  /// Of an update's task, by its operands of halves.
  static FusedUpdateSlots of(const Task& task, const TensorTable& tensors);
  [[nodiscard]] std::size_t count() const { return halved + plain; }
  [[nodiscard]] bool has_half(std::size_t i) const { return i < halved; }
  [[nodiscard]] std::size_t gradient(std::size_t i) const {
    return parameters + (i < halved ? 4 * i : 4 * halved + 3 * (i - halved));
  }
  [[nodiscard]] std::size_t weight(std::size_t i) const { return gradient(i) + 1; }
  [[nodiscard]] std::size_t momentum(std::size_t i) const { return gradient(i) + 2; }
  [[nodiscard]] std::size_t half(std::size_t i) const { return gradient(i) + 3; }
};

/// Replaces those tasks of a lowered training graph, where they are there as above; else changes
/// nothing.
void fuse_update(std::vector<Task>& tasks, const TensorTable& tensors);

/// Host kernel: fused_update_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_fused_update_host(const Task& task, const TensorTable& tensors);

/// CUDA kernel: fused_update_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_fused_update_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& planner);

}  // namespace quintet
