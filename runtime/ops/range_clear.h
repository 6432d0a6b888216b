/// Zero whole regions: the gradients at the start of a step.
///
/// op kind     | regions            | task
/// RANGE_CLEAR | one or more, any   | clear: slot i writes regions[i]
#pragma once

#include <memory>
#include <vector>

#include "runtime/model/op.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

class CudaKernel;
class HostKernel;
class KernelPlanner;

std::vector<Task> lower_range_clear(const Op& op, const TensorTable& tensors);

/// Host kernel: range_clear_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_range_clear_host(const Task& task, const TensorTable& tensors);

/// CUDA kernel: range_clear_cuda.cpp, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_range_clear_cuda(const Task& task, const TensorTable& tensors,
                                                  KernelPlanner& planner);

}  // namespace quintet
