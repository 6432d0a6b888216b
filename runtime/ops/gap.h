/// Global average-pooling in FP32: X[N,H,W,C] to Y[N,C], the mean over H and W. Backward overwrites
/// dX with dY / (H * W) in every pixel.
///
/// op kind      | inputs | outputs | task
/// GAP_FP32_FWD | X      | Y       | Y
/// GAP_FP32_BWD | dY     | dX      | dX
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

struct GapForwardSlots {
  enum : std::size_t { X, Y };
};
struct GapBackwardSlots {
  enum : std::size_t { dY, dX };
};

/// Shape of Y. Error: X not of rank 4.
Result<Shape> gap_output_shape(const Shape& x);

std::vector<Task> lower_gap_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_gap_bwd(const Op& op, const TensorTable& tensors);

/// Host kernels: gap_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_gap_forward_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_gap_backward_host(const Task& task, const TensorTable& tensors);

/// CUDA kernels: gap_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_gap_forward_cuda(const Task& task, const TensorTable& tensors,
                                                  KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_gap_backward_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& planner);

}  // namespace quintet
