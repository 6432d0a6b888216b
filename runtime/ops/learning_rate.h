/// The learning rate of a whole-step graph: a device table indexed by a device counter, and the
/// counter's increment. A counter outside the table takes the nearest entry.
///
/// op kind          | inputs                      | outputs       | task
/// LR_FROM_TABLE    | table F32[T], counter I64   | lr F32        | update
/// SCALAR_INCREMENT | (none)                      | counter I64   | update
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

struct LrFromTableSlots {
  enum : std::size_t { table, counter, lr };
};
struct ScalarIncrementSlots {
  enum : std::size_t { counter };
};

std::vector<Task> lower_lr_from_table(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_scalar_increment(const Op& op, const TensorTable& tensors);

/// Host kernels: learning_rate_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_lr_from_table_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_scalar_increment_host(const Task& task,
                                                       const TensorTable& tensors);

/// CUDA kernels: learning_rate_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_lr_from_table_cuda(const Task& task, const TensorTable& tensors,
                                                    KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_scalar_increment_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& planner);

}  // namespace quintet
