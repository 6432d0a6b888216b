/// A plan's memory cut so that no tensor has a neighbour: given allocations of their own, a memory
/// checker sees where a kernel strays from its operand.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/model/memory_plan.h"

namespace quintet {

/// A range of a region that gets an allocation of its own.
struct MemoryBlock {
  RegionId region;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// A workspace, and a region that some task takes whole, is one block. In every other region each
/// tensor is one, of exactly its bytes; a view lies in the block of the tensor that owns its bytes.
struct GuardedLayout {
  std::vector<MemoryBlock> blocks;
  std::vector<std::optional<std::size_t>> regions;  ///< by RegionId: nothing where it is cut up
  std::vector<std::size_t> tensors;                 ///< by TensorId: the block it lies in

  /// Where the tensor begins in its block.
  [[nodiscard]] std::uint64_t offset_of(TensorId tensor, const MemoryPlan& plan) const {
    return plan.placement(tensor).offset - blocks[tensors[tensor.value()]].offset;
  }
};

/// Tensors that share bytes in `plan` (shape variants, gradients in place) get blocks of their own
/// all the same.
GuardedLayout guarded_layout(const TensorTable& tensors, const std::vector<Task>& tasks,
                             const MemoryPlan& plan);

}  // namespace quintet
