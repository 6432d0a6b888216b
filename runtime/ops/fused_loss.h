/// The fused lowering of the loss: softmax cross-entropy forward and backward in one task, since
/// backward needs nothing that forward does not have in hand. It stands where forward did, has its
/// kind and slots, and is fused_with backward, whose own operands follow:
///
/// op kinds                                 | operands of the task
/// SOFTMAX_CE_*_FWD with SOFTMAX_CE_*_BWD   | logits, labels, probabilities, losses, dlogits, [loss_scale]
///
/// Probabilities and losses are still written: the metrics read them. Both numbers formats; the same
/// bits as the two tasks.
#pragma once

#include <memory>
#include <vector>

#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

class HostKernel;

struct FusedLossSlots {
  enum : std::size_t { logits, labels, probabilities, losses, dlogits, loss_scale };
};

/// Makes one task of each such pair of a lowered graph.
void fuse_loss(std::vector<Task>& tasks, const TensorTable& tensors);

/// Host kernel: fused_loss_host.cpp, target quintet_ops_host. The CUDA kernel is that of
/// SOFTMAX_CE_*_FWD.
std::unique_ptr<HostKernel> make_fused_loss_host(const Task& task, const TensorTable& tensors);

}  // namespace quintet
