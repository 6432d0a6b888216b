/// Max-pooling in FP32 over NHWC. Padding counts as -inf; of equal values the first in the window
/// wins; NaN wins over all. The argmax (U8, the cell's row-major index within its window, padding
/// cells counted) is what backward keeps. Backward overwrites all of dX; where windows overlap, the
/// gradients of one cell add up.
///
/// op kind          | inputs     | outputs   | attributes | task
/// MAXPOOL_FP32_FWD | X          | Y, argmax | Window     | Y; the argmax may be left out
/// (inference) MAXPOOL_FP32_BWD | dY, argmax | dX        | Window     | dX
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

struct MaxpoolForwardSlots {
  enum : std::size_t { X, Y, argmax };
};
struct MaxpoolBackwardSlots {
  enum : std::size_t { dY, argmax, dX };
};

/// Shape of Y. Errors: those of count_windows; padding not smaller than the kernel (a window would
/// see nothing but padding); a window of more than 255 cells (its index would not fit the argmax).
Result<Shape> pool_output_shape(const Shape& x, const Window& window);

std::vector<Task> lower_maxpool_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_maxpool_bwd(const Op& op, const TensorTable& tensors);

/// Host kernels: maxpool_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_maxpool_forward_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_maxpool_backward_host(const Task& task,
                                                       const TensorTable& tensors);

/// CUDA kernels: maxpool_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_maxpool_forward_cuda(const Task& task, const TensorTable& tensors,
                                                      KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_maxpool_backward_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& planner);

}  // namespace quintet
