/// Softmax and cross-entropy in FP32 (computed in double inside): probabilities and one loss per
/// sample; backward is the gradient of the mean loss over the batch: (p - target) / N. The target
/// is smoothed as LossHyper says; without attributes it is one-hot. A label outside [0, K) gives
/// the loss NaN.
///
/// op kind             | inputs                       | outputs                          | task
/// SOFTMAX_CE_FP32_FWD | logits [N,K], labels I32 [N] | probabilities [N,K], losses [N]  | Y
/// SOFTMAX_CE_FP32_BWD | probabilities, labels        | dlogits [N,K]                    | dX
/// SOFTMAX_CE_AMP_FWD  | as FP32; logits F16          | as FP32                          | Y
/// SOFTMAX_CE_AMP_BWD  | ..., loss_scale F32[1]       | dlogits F16, times loss_scale    | dX
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

/// LossHyper's smoothing; 0 without attributes.
float smoothing_of(const OpAttributes& attributes);

struct SoftmaxCeForwardSlots {
  enum : std::size_t { logits, labels, probabilities, losses };
};
struct SoftmaxCeBackwardSlots {
  enum : std::size_t { probabilities, labels, dlogits, loss_scale };
};

std::vector<Task> lower_softmax_ce_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_softmax_ce_bwd(const Op& op, const TensorTable& tensors);

/// Host kernels: softmax_ce_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_softmax_ce_forward_host(const Task& task,
                                                         const TensorTable& tensors);
std::unique_ptr<HostKernel> make_softmax_ce_backward_host(const Task& task,
                                                          const TensorTable& tensors);

/// CUDA kernels: softmax_ce_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_softmax_ce_forward_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_softmax_ce_backward_cuda(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& planner);

}  // namespace quintet
