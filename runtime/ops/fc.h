/// Fully connected layer: Y[N,O] = X[N,I] W[I,O] + B[O]. X may have any rank >= 2 (N = its first
/// dimension, I = the elements of the rest). Backward ADDS into dW and dB (or overwrites them:
/// overwritten_gradients.h) and overwrites dX. The bias is optional, [in brackets]: without it there
/// is no B, no dB and no dB task.
///
/// op kind              | inputs    | outputs      | tasks in program order
/// FC_*_FWD             | X, W, [B] | Y            | Y
/// FC_*_BWD             | dY, X, W  | dW, [dB], dX | dW, [dB], dX (representative)
/// FC_*_BWD_FIRST_LAYER | dY, X     | dW, [dB]     | dW (representative), [dB]
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

/// B last, so that the others stay where they are without it.
struct FcForwardSlots {
  enum : std::size_t { X, W, Y, B };
};
struct FcWeightGradientSlots {
  enum : std::size_t { X, dY, dW };
};
struct FcBiasGradientSlots {
  enum : std::size_t { dY, dB };
};
struct FcInputGradientSlots {
  enum : std::size_t { dY, W, dX };
};

/// Shape of Y. Errors: X of rank below 2; less than one output feature.
Result<Shape> fc_output_shape(const Shape& x, std::int64_t out_features);
/// IO shape of W.
Shape fc_weight_shape(const Shape& x, std::int64_t out_features);

std::vector<Task> lower_fc_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_fc_bwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_fc_bwd_first_layer(const Op& op, const TensorTable& tensors);

/// Host kernels: fc_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_fc_forward_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_fc_weight_gradient_host(const Task& task,
                                                         const TensorTable& tensors);
std::unique_ptr<HostKernel> make_fc_bias_gradient_host(const Task& task,
                                                       const TensorTable& tensors);
std::unique_ptr<HostKernel> make_fc_input_gradient_host(const Task& task,
                                                        const TensorTable& tensors);

/// CUDA kernels: fc_cuda.cpp (the bias gradient: bias_gradient_cuda.cu), target
/// quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_fc_forward_cuda(const Task& task, const TensorTable& tensors,
                                                 KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_fc_weight_gradient_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_fc_bias_gradient_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_fc_input_gradient_cuda(const Task& task,
                                                        const TensorTable& tensors,
                                                        KernelPlanner& planner);

}  // namespace quintet
