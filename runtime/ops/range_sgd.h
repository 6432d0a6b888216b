/// SGD with momentum over whole regions of one layout, element by element in float; the formula is
/// SgdHyper's. With found_inf set, nothing changes.
///
/// op kind          | inputs                  | regions                      | attributes | task
/// RANGE_SGD_UPDATE | lr F32, [found_inf I32] | weights, gradients, momentum | SgdHyper   | update
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

struct RangeSgdSlots {
  enum : std::size_t { weights, gradients, momentum, lr, found_inf };
};

std::vector<Task> lower_range_sgd(const Op& op, const TensorTable& tensors);

/// Host kernel: range_sgd_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_range_sgd_host(const Task& task, const TensorTable& tensors);

/// CUDA kernel: range_sgd_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_range_sgd_cuda(const Task& task, const TensorTable& tensors,
                                                KernelPlanner& planner);

}  // namespace quintet
