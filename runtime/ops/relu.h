/// ReLU in FP32: Y = max(X, 0), NaN stays NaN. The mask (U8, 1 where X passed) is what backward
/// keeps, so that X's bytes are free for dX.
///
/// op kind       | inputs   | outputs  | task
/// RELU_FP32_FWD | X        | Y, mask  | Y; the mask may be left out (inference)
/// RELU_FP32_BWD | dY, mask | dX       | dX
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

struct ReluForwardSlots {
  enum : std::size_t { X, Y, mask };
};
struct ReluBackwardSlots {
  enum : std::size_t { dY, mask, dX };
};

std::vector<Task> lower_relu_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_relu_bwd(const Op& op, const TensorTable& tensors);

/// Host kernels: relu_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_relu_forward_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_relu_backward_host(const Task& task, const TensorTable& tensors);

/// CUDA kernels: relu_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_relu_forward_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_relu_backward_cuda(const Task& task, const TensorTable& tensors,
                                                    KernelPlanner& planner);

}  // namespace quintet
