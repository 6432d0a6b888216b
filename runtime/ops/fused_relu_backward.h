/// The fused lowering of a ReLU's backward after the input gradient of a fully connected layer: one
/// task instead of two, and the gradient between them is never stored.
///
/// op kinds                               | operands of the task
/// part dX of FC_*_BWD, with RELU_*_BWD   | dY, W, dX (of the ReLU), mask
///
/// Fused where both lie in one sub-graph, the ReLU alone reads the layer's dX, and no task before it
/// touches what it writes. The task is the layer's part dX: name, kind, part. The same bits.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

class HostKernel;

struct FusedReluBackwardSlots {
  enum : std::size_t { dY, W, dX, mask };
};

/// Makes one task of each such pair of a lowered graph.
void fuse_relu_backward(std::vector<Task>& tasks, const TensorTable& tensors);

/// Host kernels: fused_relu_backward_host.cpp, target quintet_ops_host. The CUDA kernel is that of
/// the part dX.
std::unique_ptr<HostKernel> make_fc_relu_backward_host(const Task& task,
                                                       const TensorTable& tensors);
std::unique_ptr<HostKernel> make_fc_relu_backward_amp_host(const Task& task,
                                                           const TensorTable& tensors);

}  // namespace quintet
