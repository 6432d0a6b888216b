/// Offsets for buffers of which some may lie on common bytes: few bytes in all, found greedily.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace quintet {

struct BufferPacking {
  std::vector<std::uint64_t> offsets;  ///< of each buffer
  std::uint64_t bytes = 0;  ///< where the last one ends; never more than all sizes together
};

/// Buffers that may not share do not overlap. One after the other, each goes into the lowest gap
/// that fits between those it may not share with; tried by size and by index, the better result is
/// kept. Sizes are multiples of the alignment, and so are the offsets. `may_share` is symmetric. The
/// same input gives the same packing. Time: quadratic.
BufferPacking pack_buffers(std::span<const std::uint64_t> sizes,
                           const std::function<bool(std::size_t, std::size_t)>& may_share);

}  // namespace quintet
