/// The statistics of batch normalisation beside the trunk: moving averages of the batch statistics,
/// and the scale and shift that inference applies.
///
/// op kind              | inputs                      | outputs  | attributes     | task
/// BN_UPDATE_EQ_PARAMS  | gamma, beta, running[2,C]   | eq[2,C]  | BatchNormHyper | update
/// eq[0] = gamma / sqrt(running variance + epsilon), eq[1] = beta - running mean * eq[0]
///
/// op kind               | regions                                        | attributes     | task
/// RANGE_BN_STATS_UPDATE | BN_RUNNING_STATS (updated), BN_BATCH_STATS     | BatchNormHyper | update
/// running = (1 - momentum) * running + momentum * batch, element by element over both regions
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

struct BatchNormEqSlots {
  enum : std::size_t { gamma, beta, running, eq };
};
struct BatchNormStatsSlots {
  enum : std::size_t { running, batch };
};

std::vector<Task> lower_batch_norm_eq(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_range_bn_stats(const Op& op, const TensorTable& tensors);

/// Host kernels: batch_norm_stats_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_batch_norm_eq_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_range_bn_stats_host(const Task& task, const TensorTable& tensors);

/// CUDA kernels: batch_norm_stats_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_batch_norm_eq_cuda(const Task& task, const TensorTable& tensors,
                                                    KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_range_bn_stats_cuda(const Task& task, const TensorTable& tensors,
                                                     KernelPlanner& planner);

}  // namespace quintet
