#include "runtime/host/host_arena.h"

#include <algorithm>
#include <new>

namespace quintet {

namespace {
constexpr std::align_val_t kAlignment{64};
}

void HostArena::Free::operator()(std::byte* pointer) const {
  ::operator delete[](pointer, kAlignment);
}

HostArena::HostArena(const MemoryPlan& plan) {
  for (const Region& region : plan.regions()) {
    const std::size_t bytes = std::max<std::size_t>(64, region.bytes);
    auto* data = static_cast<std::byte*>(::operator new[](bytes, kAlignment));
    std::fill_n(data, bytes, std::byte{0});
    buffers_.push_back({std::unique_ptr<std::byte[], Free>(data), region.bytes});
  }
}

std::span<std::byte> HostArena::region(RegionId id) const {
  const Buffer& buffer = buffers_.at(id.value());
  return {buffer.data.get(), buffer.bytes};
}

}  // namespace quintet
