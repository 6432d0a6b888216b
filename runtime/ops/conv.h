/// Convolution: images NHWC, weights HWIO, zero padding. Backward ADDS into dW and dB (or overwrites
/// them: overwritten_gradients.h) and overwrites dX. The bias is optional, [in brackets]: without it
/// there is no B, no dB and no dB task.
///
/// op kind                | inputs    | outputs      | attributes | tasks in program order
/// CONV_*_FWD             | X, W, [B] | Y            | Window     | Y
/// CONV_*_BWD             | dY, X, W  | dW, [dB], dX | Window     | dW, [dB], dX (representative)
/// CONV_*_BWD_FIRST_LAYER | dY, X     | dW, [dB]     | Window     | dW (representative), [dB]
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
struct ConvForwardSlots {
  enum : std::size_t { X, W, Y, B };
};
struct ConvWeightGradientSlots {
  enum : std::size_t { X, dY, dW };
};
struct ConvBiasGradientSlots {
  enum : std::size_t { dY, dB };
};
struct ConvInputGradientSlots {
  enum : std::size_t { dY, W, dX };
};

/// Shape of Y. Errors: those of count_windows; less than one output channel.
Result<Shape> conv_output_shape(const Shape& x, const Window& window, std::int64_t out_channels);
/// HWIO shape of W for an input that conv_output_shape accepts.
Shape conv_weight_shape(const Shape& x, const Window& window, std::int64_t out_channels);

std::vector<Task> lower_conv_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_conv_bwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_conv_bwd_first_layer(const Op& op, const TensorTable& tensors);

/// Host kernels: conv_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_conv_forward_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_conv_weight_gradient_host(const Task& task,
                                                           const TensorTable& tensors);
std::unique_ptr<HostKernel> make_conv_bias_gradient_host(const Task& task,
                                                         const TensorTable& tensors);
std::unique_ptr<HostKernel> make_conv_input_gradient_host(const Task& task,
                                                          const TensorTable& tensors);

/// CUDA kernels: conv_cuda.cpp (the bias gradient: bias_gradient_cuda.cu), target
/// quintet_ops_cuda. Weights there are KRSC.
std::unique_ptr<CudaKernel> make_conv_forward_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_conv_weight_gradient_cuda(const Task& task,
                                                           const TensorTable& tensors,
                                                           KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_conv_bias_gradient_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_conv_input_gradient_cuda(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& planner);

}  // namespace quintet
