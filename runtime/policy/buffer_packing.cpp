#include "runtime/policy/buffer_packing.h"

#include <algorithm>
#include <numeric>

namespace quintet {

namespace {

using MayShare = std::function<bool(std::size_t, std::size_t)>;

BufferPacking pack_in_order(std::span<const std::size_t> order,
                            std::span<const std::uint64_t> sizes, const MayShare& may_share) {
  BufferPacking packing;
  packing.offsets.resize(sizes.size());
  std::vector<std::size_t> placed;  // by offset
  for (const std::size_t buffer : order) {
    std::uint64_t offset = 0;
    for (const std::size_t below : placed) {
      if (may_share(buffer, below)) continue;
      if (packing.offsets[below] >= offset + sizes[buffer]) break;
      offset = std::max(offset, packing.offsets[below] + sizes[below]);
    }
    packing.offsets[buffer] = offset;
    packing.bytes = std::max(packing.bytes, offset + sizes[buffer]);
    const auto after = std::upper_bound(
        placed.begin(), placed.end(), offset,
        [&](std::uint64_t at, std::size_t other) { return at < packing.offsets[other]; });
    placed.insert(after, buffer);
  }
  return packing;
}

}  // namespace

BufferPacking pack_buffers(std::span<const std::uint64_t> sizes, const MayShare& may_share) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  BufferPacking by_index = pack_in_order(order, sizes, may_share);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  BufferPacking by_size = pack_in_order(order, sizes, may_share);
  return by_index.bytes < by_size.bytes ? by_index : by_size;
}

}  // namespace quintet
