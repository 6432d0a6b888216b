/// Copies of whole tensors, byte for byte: from pinned host memory to the device, and labels from
/// their A or B batch to where the trunk reads them.
///
/// op kind      | inputs | outputs | task
/// H2D_COPY     | source | target  | copy
/// STAGE_LABELS | source | target  | copy
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

struct CopySlots {
  enum : std::size_t { source, target };
};

std::vector<Task> lower_copy(const Op& op, const TensorTable& tensors);

/// Host kernel: copy_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_copy_host(const Task& task, const TensorTable& tensors);

/// CUDA kernels: copy_cuda.cpp, of STAGE_LABELS stage_labels_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_copy_cuda(const Task& task, const TensorTable& tensors,
                                           KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_stage_labels_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& planner);

}  // namespace quintet
