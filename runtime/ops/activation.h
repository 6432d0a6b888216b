/// Activations beside ReLU in FP32, one family: Y = f(X) element by element. Forward saves what
/// backward needs, so that the bytes of X and Y are free for dX and dY. NaN stays NaN.
///
/// kinds                                  | f(x)                              | saved
/// RELU6_FP32_FWD, RELU6_FP32_BWD         | min(max(x, 0), 6)                 | U8: 1 where 0 < x <
/// 6 LEAKY_RELU_FP32_FWD, .._BWD            | x, alpha * x where x <= 0         | U8: 1 where x > 0
/// TANH_FP32_FWD, TANH_FP32_BWD           | tanh(x)                           | F32: f'(x)
/// SILU_FP32_FWD, SILU_FP32_BWD           | x / (1 + exp(-x))                 | F32: f'(x)
/// SIGMOID_FP32_FWD, SIGMOID_FP32_BWD     | 1 / (1 + exp(-x))                 | F32: f'(x)
/// HARDSWISH_FP32_FWD, HARDSWISH_FP32_BWD | x * min(max(x + 3, 0), 6) / 6     | F32: f'(x)
/// ELU_FP32_FWD, ELU_FP32_BWD             | x, alpha * (exp(x) - 1) for x <= 0 | F32: f'(x)
///
/// direction | inputs    | outputs  | attributes                      | task
/// FWD       | X         | Y, saved | SlopeHyper of LEAKY_RELU and ELU | Y; saved may be left out
/// BWD       | dY, saved | dX       | SlopeHyper of LEAKY_RELU and ELU | dX     (inference)
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

enum class Activation : std::uint8_t { RELU6, LEAKY_RELU, TANH, SILU, SIGMOID, HARDSWISH, ELU };

struct ActivationForwardSlots {
  enum : std::size_t { X, Y, saved };
};
struct ActivationBackwardSlots {
  enum : std::size_t { dY, saved, dX };
};

/// The function of a forward or backward kind, whatever its precision; nothing for other kinds.
std::optional<Activation> activation_of(OpKind kind);
/// The type of what forward saves: a mask where that is enough, else the derivative.
DType saved_dtype_of(Activation activation);

std::vector<Task> lower_activation_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_activation_bwd(const Op& op, const TensorTable& tensors);

/// Host kernels: activation_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_activation_forward_host(const Task& task,
                                                         const TensorTable& tensors);
std::unique_ptr<HostKernel> make_activation_backward_host(const Task& task,
                                                          const TensorTable& tensors);

/// CUDA kernels: activation_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_activation_forward_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_activation_backward_cuda(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& planner);

}  // namespace quintet
