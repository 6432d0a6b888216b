/// Exponential moving averages of weights over whole regions of one layout, element by element in
/// float; the formula is EmaHyper's. With found_inf set, nothing changes.
///
/// op kind                | inputs          | regions          | attributes | task
/// RANGE_EMA_PARAM_UPDATE | [found_inf I32] | average, weights | EmaHyper   | update
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

struct RangeEmaSlots {
  enum : std::size_t { average, weights, found_inf };
};

std::vector<Task> lower_range_ema(const Op& op, const TensorTable& tensors);

/// Host kernel: range_ema_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_range_ema_host(const Task& task, const TensorTable& tensors);

/// CUDA kernel: range_ema_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_range_ema_cuda(const Task& task, const TensorTable& tensors,
                                                KernelPlanner& planner);

}  // namespace quintet
