/// Adam and AdamW over whole regions of one layout, element by element in float, and the bias
/// correction that they share, which is kept on the device. With the correction
/// c = {1/(1 - beta1^t), 1/(1 - beta2^t)}: m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g
/// g, w -= lr * c0 m / (sqrt(c1 v) + epsilon). Adam first adds weight_decay * w to g; AdamW first
/// multiplies w by 1 - lr * weight_decay.
///
/// op kind              | inputs                         | outputs                              |
/// task ADAM_BIAS_CORRECTION | [found_inf I32]                | t I64[1], correction F32[2] |
/// update op kind              | inputs                         | regions | task RANGE_ADAM_UPDATE
/// | lr, correction, [found_inf]    | weights, gradients, momentum, variance | update
/// RANGE_ADAMW_UPDATE   | lr, correction, [found_inf]    | weights, gradients, momentum, variance |
/// update
///
/// Attributes: AdamHyper. The correction is that of t + 1, the step at hand, and t becomes t + 1: t
/// counts the steps that were not skipped, so it starts at 0. With found_inf set, nothing changes.
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

struct AdamBiasCorrectionSlots {
  enum : std::size_t { t, correction, found_inf };
};
struct RangeAdamSlots {
  enum : std::size_t { weights, gradients, momentum, variance, lr, correction, found_inf };
};

std::vector<Task> lower_adam_bias_correction(const Op& op, const TensorTable& tensors);
/// Of both update kinds.
std::vector<Task> lower_range_adam(const Op& op, const TensorTable& tensors);

/// Host kernels: adam_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_adam_bias_correction_host(const Task& task,
                                                           const TensorTable& tensors);
std::unique_ptr<HostKernel> make_range_adam_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_range_adamw_host(const Task& task, const TensorTable& tensors);

/// CUDA kernels: adam_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_adam_bias_correction_cuda(const Task& task,
                                                           const TensorTable& tensors,
                                                           KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_range_adam_cuda(const Task& task, const TensorTable& tensors,
                                                 KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_range_adamw_cuda(const Task& task, const TensorTable& tensors,
                                                  KernelPlanner& planner);

}  // namespace quintet
