/// The fused lowering of pairs: which op does the work of the op after it in the same task, and
/// which ops of a graph are such a pair. Beside pairs it has the backward of a ReLU
/// (fused_relu_backward.h), the loss (fused_loss.h), the update of AMP (fused_update.h) and gradients
/// that are not accumulated (overwritten_gradients.h).
///
/// producer                          | consumer                   | what is saved
/// CONV_*_FWD, FC_*_FWD              | RELU_*_FWD                 | the tensor between them: written by
/// BN1D_*_FWD, BN2D_*_FWD, BN*_*_INF | of the same number format  | one task, read back by another
/// ADD_*_FWD                         |                            |
///
/// A pair is fused where both ops lie in one sub-graph, the producer's Y is the consumer's first
/// input, no other op touches that Y, and nothing touches what the consumer writes before it does.
/// The first layer has two producers, on batch A and on batch B, in sub-graphs of their own: both
/// then do the work of the consumer that begins the rest.
/// The task stands where the producer's did and is the producer's: name, kind, part, layer,
/// attributes. So every policy finds a stream for it. It covers what the tasks of both ops covered.
/// Task::fused_with names the consumer.
///
/// Operands: the producer's in their slots, the consumer's Y in the place of its own; from
/// fused_with->first_operand on the others of the consumer (the mask of a ReLU, where it has one).
/// No task touches the Y that was between the two.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/model/op.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

/// Two kinds that one task can do. Each op of them lowers to one task.
struct FusionPattern {
  OpKind producer;
  OpKind consumer;
  /// The task of both, from the task of each: operands, fused_with, flops and bytes.
  Task (*fuse)(Task producer, const Task& consumer, const TensorTable& tensors) = nullptr;
};

/// Every pattern, in the order of the producers' enum.
std::span<const FusionPattern> fusion_catalog();

/// Two ops to fuse, by their places in the list.
struct FusedPair {
  std::size_t producer = 0;
  std::size_t consumer = 0;
  const FusionPattern* pattern = nullptr;
};

/// The pairs of a whole graph (all its sub-graphs: an op anywhere may be a second consumer), by
/// producer. No op is in two of them, but for the consumer of the first layer on batch A and B.
std::vector<FusedPair> find_fusions(std::span<const Op> ops, const TensorTable& tensors);

/// Every pair of kinds that one task of the fused lowering does: those of the catalog, the backward
/// of a ReLU (fused_relu_backward.h), the loss (fused_loss.h) and the update (fused_update.h). Each
/// needs its line in the catalogs of fused kernels.
std::vector<std::pair<OpKind, OpKind>> fused_kinds();

/// The consumer works element by element, its first operand being X and its second Y: it can
/// overwrite the producer's Y in place. Bytes: those of both, less the tensor between them.
Task fuse_elementwise(Task producer, const Task& consumer, const TensorTable& tensors);

}  // namespace quintet
