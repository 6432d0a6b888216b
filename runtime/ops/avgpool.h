/// Average-pooling in FP32 over NHWC. Padding does not count: a window's mean is over the cells
/// that lie inside the input (count_include_pad = false). Backward overwrites all of dX; where
/// windows overlap, the gradients of one cell add up.
///
/// op kind          | inputs | outputs | attributes | task
/// AVGPOOL_FP32_FWD | X      | Y       | Window     | Y
/// AVGPOOL_FP32_BWD | dY     | dX      | Window     | dX
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

struct AvgpoolForwardSlots {
  enum : std::size_t { X, Y };
};
struct AvgpoolBackwardSlots {
  enum : std::size_t { dY, dX };
};

/// Shape of Y. Errors: those of count_pool_windows.
Result<Shape> avgpool_output_shape(const Shape& x, const Window& window);

std::vector<Task> lower_avgpool_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_avgpool_bwd(const Op& op, const TensorTable& tensors);

/// Host kernels: avgpool_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_avgpool_forward_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_avgpool_backward_host(const Task& task,
                                                       const TensorTable& tensors);

/// CUDA kernels: avgpool_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_avgpool_forward_cuda(const Task& task, const TensorTable& tensors,
                                                      KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_avgpool_backward_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& planner);

}  // namespace quintet
