/// Addition in FP32, of a residual block. Forward adds the two branches. The gradient of both
/// branches is dY itself: a view, no op. What backward needs an op for is the other end of the
/// block, where one tensor feeds two consumers: its gradient is the sum of the two that come back.
/// That is ADD_FP32_BWD.
///
/// op kind      | inputs | outputs      | task
/// ADD_FP32_FWD | A, B   | Y  = A + B   | Y
/// ADD_FP32_BWD | d1, d2 | dX = d1 + d2 | dX
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

struct AddSlots {
  enum : std::size_t { first, second, sum };
};

std::vector<Task> lower_add_fwd(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_add_bwd(const Op& op, const TensorTable& tensors);

/// Host kernel of both: add_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_add_host(const Task& task, const TensorTable& tensors);

/// CUDA kernel of both: add_cuda.cu, target quintet_ops_cuda. It also does the ReLU of a task
/// that is fused_with one, in the same pass.
std::unique_ptr<CudaKernel> make_add_cuda(const Task& task, const TensorTable& tensors,
                                          KernelPlanner& planner);

}  // namespace quintet
