/// What AMP does about overflow, on the device: looks for values that are not finite, takes the
/// loss scale out of the gradients, and adjusts the scale.
///
/// op kind               | inputs                    | outputs                         | regions
/// RANGE_CHECK_NAN       | tensors F32 or F16, any   | found_inf I32[1]                | any
/// RANGE_SCALE_GRADIENTS | [loss_scale, [found_inf]] |                                 | gradients
/// F32 LOSS_SCALE_UPDATE     | found_inf I32[1]          | loss_scale F32[1], good_steps I32[1] |
///
/// RANGE_CHECK_NAN (part update) writes 1 where any value of its regions and tensors is NaN or
/// infinite, else 0; regions named *_FP16 hold halves, the others floats.
/// RANGE_SCALE_GRADIENTS (part update, GradientScaleHyper) multiplies by 1 / (loss_scale *
/// micro_batches), computed in double; with found_inf set it leaves them as they are.
/// LOSS_SCALE_UPDATE (part update) does as LossScaleHyper says.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/model/op.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

class CudaKernel;
class HostKernel;
class KernelPlanner;

/// Slot 0 to inputs - 1: what is checked, regions first; then found_inf.
struct CheckNanSlots {
  static std::size_t found_inf(std::size_t operands) { return operands - 1; }
};
/// Of a task over `regions` regions: these, then loss_scale and found_inf where there are such.
struct ScaleGradientsSlots {
  std::size_t regions;
  [[nodiscard]] std::size_t loss_scale() const { return regions; }
  [[nodiscard]] std::size_t found_inf() const { return regions + 1; }
};
struct LossScaleUpdateSlots {
  enum : std::size_t { found_inf, loss_scale, good_steps };
};

struct LossScaleState {
  float scale = 1;
  std::int32_t good_steps = 0;
};

/// What a step makes of the loss scale; for host and device code.
constexpr LossScaleState after_step(LossScaleState now, bool overflow,
                                    const LossScaleHyper& hyper) {
  if (overflow) {
    const float smaller = now.scale * hyper.backoff;
    return {smaller < hyper.minimum ? hyper.minimum : smaller, 0};
  }
  const std::int32_t steps = now.good_steps + 1;
  if (steps < hyper.growth_interval) return {now.scale, steps};
  const float larger = now.scale * hyper.growth;
  return {hyper.maximum < larger ? hyper.maximum : larger, 0};
}

std::vector<Task> lower_check_nan(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_scale_gradients(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_loss_scale_update(const Op& op, const TensorTable& tensors);

/// Host kernels: loss_scale_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_check_nan_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_scale_gradients_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_loss_scale_update_host(const Task& task,
                                                        const TensorTable& tensors);

/// CUDA kernels: loss_scale_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_check_nan_cuda(const Task& task, const TensorTable& tensors,
                                                KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_scale_gradients_cuda(const Task& task, const TensorTable& tensors,
                                                      KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_loss_scale_update_cuda(const Task& task,
                                                        const TensorTable& tensors,
                                                        KernelPlanner& planner);

}  // namespace quintet
