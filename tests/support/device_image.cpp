#include "tests/support/device_image.h"

#include <algorithm>
#include <cstring>

#include "runtime/cuda/cuda_error.h"

namespace quintet {

DeviceImage::DeviceImage(TaskArena& layout, const MemoryPlan& plan)
    : plan_(plan),
      pinned_(MemoryKind::pinned_host, layout.all().size(), "pinned image of an arena"),
      device_(MemoryKind::device, layout.all().size(), "device image of an arena") {
  for (const Region& region : plan.regions()) {
    begins_.push_back(layout.begin_of(region.id));
    // Host regions come first in every plan.
    if (region.space() == MemorySpace::device && device_begin_ == 0) device_begin_ = begins_.back();
  }
}

void DeviceImage::upload(TaskArena& arena) {
  std::memcpy(pinned_.data(), arena.all().data(), pinned_.bytes());
  copy_and_wait(device_.data(), arena.all().data(), device_.bytes());
}

std::byte* DeviceImage::address(const Access& access) const {
  const CudaMemory& memory = access.space == MemorySpace::host ? pinned_ : device_;
  return memory.data() + begins_[access.region.value()] + access.offset;
}

template <class Use>
void DeviceImage::with_args(const Task& task, StreamKind stream, Use use) {
  std::vector<BoundOperand> bound;
  for (const Access& access : operand_accesses(task, plan_))
    bound.push_back({address(access), access.bytes, access.mode});
  std::span<std::byte> workspace;
  if (task.workspace_bytes > 0) {
    const Region& region = plan_.workspace(stream);
    workspace = {device_.data() + begins_[region.id.value()], task.workspace_bytes};
  }
  use(TaskArgs(bound, workspace));
}

void DeviceImage::bind(const Task& task, StreamKind stream, CudaKernel& kernel) {
  with_args(task, stream, [&](const TaskArgs& args) { kernel.bind(args); });
}

void DeviceImage::launch(const Task& task, StreamKind stream, CudaKernel& kernel,
                         const StreamResources& on) {
  with_args(task, stream, [&](const TaskArgs& args) { kernel.launch(args, on); });
  check(cudaStreamSynchronize(on.stream), "running " + task.name);
}

void DeviceImage::download(TaskArena& arena) {
  const std::span<std::byte> before = arena.all();
  std::vector<std::byte> of_device(before.size());
  copy_and_wait(of_device.data(), device_.data(), device_.bytes());
  const auto merge = [&](const std::byte* own, const std::byte* other, std::uint64_t begin,
                         std::uint64_t end) {
    const bool strayed = std::memcmp(other + begin, before.data() + begin, end - begin) != 0;
    for (std::uint64_t i = begin; strayed && i < end; ++i)
      before[i] = other[i] != before[i] ? other[i] : own[i];
    if (!strayed) std::memcpy(before.data() + begin, own + begin, end - begin);
  };
  merge(pinned_.data(), of_device.data(), 0, device_begin_);
  merge(of_device.data(), pinned_.data(), device_begin_, before.size());
}

}  // namespace quintet
