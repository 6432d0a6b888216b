#include "runtime/exec/device_arena.h"

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

MemoryKind kind_in(MemorySpace space) {
  return space == MemorySpace::host ? MemoryKind::pinned_host : MemoryKind::device;
}

/// Whether every byte is written before it is read: a read of an unwritten one is a fault to be seen.
bool written_first(RegionKind kind) {
  return kind == RegionKind::FEATURES || kind == RegionKind::WORKSPACE;
}

MemoryStart start_of(RegionKind kind) {
  return written_first(kind) ? MemoryStart::unwritten : MemoryStart::zeros;
}

}  // namespace

DeviceArena::DeviceArena(const ExecutionPlan& plan, ArenaMode mode) {
  refuse_what_does_not_fit(plan.memory);
  switch (mode) {
    case ArenaMode::one_allocation:
      allocate_at_once(plan);
      break;
    case ArenaMode::guarded:
      allocate_apart(plan);
      break;
    case ArenaMode::poisoned:
      allocate_at_once(plan);
      poison(plan.memory);
      break;
  }
}

std::byte*& DeviceArena::begin_of(const Region& region) {
  return region.stream ? workspaces_[index_of(*region.stream)]
                       : regions_[static_cast<std::size_t>(region.kind)];
}

void DeviceArena::allocate_at_once(const ExecutionPlan& plan) {
  std::byte* next_on_device =
      memory_
          .emplace_back(MemoryKind::device, total_bytes(plan.memory, MemorySpace::device),
                        "allocating the device arena")
          .data();
  std::byte* next_on_host =
      memory_
          .emplace_back(MemoryKind::pinned_host, total_bytes(plan.memory, MemorySpace::host),
                        "allocating the pinned host buffers")
          .data();
  for (const Region& region : plan.memory.regions()) {
    std::byte*& next = region.space() == MemorySpace::device ? next_on_device : next_on_host;
    begin_of(region) = next;
    next += aligned(region.bytes);
  }
  for (const Tensor& tensor : plan.tensors.all()) {
    const Placement& at = plan.memory.placement(tensor.id);
    tensors_.push_back(begin_of(plan.memory.region(at.region)) + at.offset);
  }
}

void DeviceArena::allocate_apart(const ExecutionPlan& plan) {
  const GuardedLayout layout = guarded_layout(plan.tensors, plan.tasks, plan.memory);
  for (const MemoryBlock& block : layout.blocks) {
    const Region& region = plan.memory.region(block.region);
    memory_.emplace_back(kind_in(region.space()), block.bytes, "allocating a guarded block",
                         start_of(region.kind));
  }
  for (const Region& region : plan.memory.regions()) {
    if (const std::optional<std::size_t> block = layout.regions[region.id.value()])
      begin_of(region) = memory_[*block].data();
  }
  for (const Tensor& tensor : plan.tensors.all()) {
    tensors_.push_back(memory_[layout.tensors[tensor.id.value()]].data() +
                       layout.offset_of(tensor.id, plan.memory));
  }
}

std::byte* DeviceArena::at(const OperandTarget& target) const {
  if (const auto* tensor = std::get_if<TensorId>(&target)) return tensors_.at(tensor->value());
  return regions_[static_cast<std::size_t>(std::get<RegionKind>(target))];
}

void DeviceArena::clear() const {
  for (const CudaMemory& memory : memory_)
    memory.clear();
}

void DeviceArena::poison(const MemoryPlan& plan) const {
  const Stream stream(0);
  for (const Region& region : plan.regions()) {
    if (!written_first(region.kind) || region.bytes == 0) continue;
    std::byte* const begin = region.stream ? workspace(*region.stream) : at(region.kind);
    check(cudaMemsetAsync(begin, kPoison, region.bytes, stream.get()), "poisoning memory");
  }
  stream.synchronize();
}

}  // namespace quintet
