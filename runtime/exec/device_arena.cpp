#include "runtime/exec/device_arena.h"

#include <cstring>
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_stream.h"

namespace quintet {

namespace {

/// Regions begin where any library call may want its workspace to.
constexpr std::uint64_t kRegionAlignment = 1024;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kRegionAlignment - 1) / kRegionAlignment * kRegionAlignment;
}

std::uint64_t total_bytes(const MemoryPlan& plan, MemorySpace space) {
  std::uint64_t bytes = 0;
  for (const Region& region : plan.regions()) {
    if (region.space() == space) bytes += aligned(region.bytes);
  }
  return bytes;
}

void refuse_what_does_not_fit(const MemoryPlan& plan) {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for the device's free memory");
  const std::uint64_t wanted = total_bytes(plan, MemorySpace::device);
  if (wanted <= free) return;
  std::string text = fmt::format(
      "the plan needs {} bytes of device memory and {} of {} are free; use a smaller "
      "batch or another policy. Bytes per region:",
      wanted, free, total);
  for (const Region& region : plan.regions()) {
    if (region.space() == MemorySpace::device && region.bytes > 0)
      text += fmt::format("\n  {:<24} {}", region.name(), region.bytes);
  }
  throw CudaError(text);
}

CudaMemory device_memory(const MemoryPlan& plan) {
  refuse_what_does_not_fit(plan);
  return {MemoryKind::device, total_bytes(plan, MemorySpace::device),
          "allocating the device arena"};
}

}  // namespace

DeviceArena::DeviceArena(const MemoryPlan& plan)
    : device_(device_memory(plan)),
      host_(MemoryKind::pinned_host, total_bytes(plan, MemorySpace::host),
            "allocating the pinned host buffers") {
  std::byte* device = device_.data();
  std::byte* host = host_.data();
  for (const Region& region : plan.regions()) {
    std::byte*& next = region.space() == MemorySpace::device ? device : host;
    regions_.push_back(next);
    next += aligned(region.bytes);
  }
}

void DeviceArena::clear() const {
  if (host_.bytes() > 0) std::memset(host_.data(), 0, host_.bytes());
  if (device_.bytes() == 0) return;
  const Stream stream(0);
  check(cudaMemsetAsync(device_.data(), 0, device_.bytes(), stream.get()), "clearing the arena");
  stream.synchronize();
}

}  // namespace quintet
