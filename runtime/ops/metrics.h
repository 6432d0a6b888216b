/// The figures of one step: mean loss (summed in double, in sample order) and number of hits (the
/// first largest probability is the label's).
///
/// op kind | inputs                                           | outputs                      | task
/// METRICS | losses [N], probabilities [N,K], labels I32 [N]  | result F64[2] = {mean, hits} | Y
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

struct MetricsSlots {
  enum : std::size_t { losses, probabilities, labels, result };
};

std::vector<Task> lower_metrics(const Op& op, const TensorTable& tensors);

/// Host kernel: metrics_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_metrics_host(const Task& task, const TensorTable& tensors);

/// CUDA kernel: metrics_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_metrics_cuda(const Task& task, const TensorTable& tensors,
                                              KernelPlanner& planner);

}  // namespace quintet
