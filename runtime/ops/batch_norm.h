/// Batch normalisation in FP32, channels last: X[N,C] (BN1D) or X[N,H,W,C] (BN2D); a channel's
/// statistics run over all rows (N, or N*H*W). y = (x - mean) * inv_std * gamma + beta with
/// inv_std = 1 / sqrt(variance + epsilon), the variance divided by the number of rows.
///
/// op kind     | inputs                          | outputs                        | task
/// BN*_FP32_FWD | X, gamma, beta                 | Y, mean, inv_std, batch_stats  | Y
/// BN*_FP32_BWD | dY, X, gamma, mean, inv_std    | dgamma, dbeta, dX              | dX
/// BN*_FP32_INF | X, eq[2,C]                     | Y = x * eq[0] + eq[1]          | Y
/// attributes: BatchNormHyper of FWD
///
/// batch_stats[2,C] holds the means, then the unbiased variances (divided by rows - 1; of a single
/// row 0): what the running statistics are fed with. mean and inv_std [C] are saved for backward.
/// Backward ADDS into dgamma and dbeta (or overwrites them: overwritten_gradients.h) and overwrites
/// dX. It is one task: dX needs the sums that dgamma and dbeta are, so the task covers the parts dX
/// (its representative), dW and dB.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/model/op.h"
#include "runtime/model/result.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

class CudaKernel;
class HostKernel;
class KernelPlanner;

struct BatchNormForwardSlots {
  enum : std::size_t { X, gamma, beta, Y, mean, inv_std, batch_stats };
};
struct BatchNormBackwardSlots {
  enum : std::size_t { dY, X, gamma, mean, inv_std, dgamma, dbeta, dX };
};
struct BatchNormInferenceSlots {
  enum : std::size_t { X, eq, Y };
};

/// Shape of Y, that of X. Error: X neither of rank 2 nor of rank 4.
Result<Shape> batch_norm_output_shape(const Shape& x);

std::vector<Task> lower_batch_norm_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_batch_norm_bwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_batch_norm_inf(const Op& op, const TensorTable& tensors);

/// Host kernels: batch_norm_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_batch_norm_forward_host(const Task& task,
                                                         const TensorTable& tensors);
std::unique_ptr<HostKernel> make_batch_norm_backward_host(const Task& task,
                                                          const TensorTable& tensors);
std::unique_ptr<HostKernel> make_batch_norm_inference_host(const Task& task,
                                                           const TensorTable& tensors);

/// CUDA kernels: batch_norm_cuda.cu, target quintet_ops_cuda. Forward and inference also do the
/// ReLU of a task that is fused_with one, in the same pass.
std::unique_ptr<CudaKernel> make_batch_norm_forward_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_batch_norm_backward_cuda(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_batch_norm_inference_cuda(const Task& task,
                                                           const TensorTable& tensors,
                                                           KernelPlanner& planner);

}  // namespace quintet
