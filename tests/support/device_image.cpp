#include "tests/support/device_image.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_memory.h"
#include "runtime/model/guarded_layout.h"

namespace quintet {

template <class Use>
void DeviceImage::with_args(const Task& task, StreamKind stream, Use use) const {
  const std::vector<Access> accesses = operand_accesses(task, plan_);
  std::vector<BoundOperand> bound;
  for (std::size_t slot = 0; slot < accesses.size(); ++slot)
    bound.push_back({at(task.operands[slot].target), accesses[slot].bytes, accesses[slot].mode});
  std::span<std::byte> scratch;
  if (task.workspace_bytes > 0) scratch = {workspace(stream), task.workspace_bytes};
  use(TaskArgs(bound, scratch));
}

void DeviceImage::bind(const Task& task, StreamKind stream, CudaKernel& kernel) const {
  with_args(task, stream, [&](const TaskArgs& args) { kernel.bind(args); });
}

void DeviceImage::launch(const Task& task, StreamKind stream, CudaKernel& kernel,
                         const StreamResources& on) const {
  with_args(task, stream, [&](const TaskArgs& args) { kernel.launch(args, on); });
  check(cudaStreamSynchronize(on.stream), "running " + task.name);
}

namespace {

class MirroredImage final : public DeviceImage {
 public:
  MirroredImage(TaskArena& layout, const MemoryPlan& plan)
      : DeviceImage(plan),
        pinned_(MemoryKind::pinned_host, layout.all().size(), "pinned image of an arena"),
        device_(MemoryKind::device, layout.all().size(), "device image of an arena") {
    for (const Region& region : plan.regions()) {
      begins_.push_back(layout.begin_of(region.id));
      // Host regions come first in every plan.
      if (region.space() == MemorySpace::device && device_begin_ == 0)
        device_begin_ = begins_.back();
    }
  }

  void upload(TaskArena& arena) override {
    std::memcpy(pinned_.data(), arena.all().data(), pinned_.bytes());
    copy_and_wait(device_.data(), arena.all().data(), device_.bytes());
  }

  /// A byte that changed in either memory is taken from there.
  void download(TaskArena& arena) override {
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

 private:
  [[nodiscard]] std::byte* at(const OperandTarget& target) const override {
    if (const auto* tensor = std::get_if<TensorId>(&target)) {
      const Placement& place = plan().placement(*tensor);
      return begin_of(plan().region(place.region)) + place.offset;
    }
    return begin_of(plan().region(std::get<RegionKind>(target)));
  }
  [[nodiscard]] std::byte* workspace(StreamKind stream) const override {
    return begin_of(plan().workspace(stream));
  }
  [[nodiscard]] std::byte* begin_of(const Region& region) const {
    const CudaMemory& memory = region.space() == MemorySpace::host ? pinned_ : device_;
    return memory.data() + begins_[region.id.value()];
  }

  std::vector<std::uint64_t> begins_;  ///< by RegionId
  std::uint64_t device_begin_ = 0;     ///< where the device's part of the bytes begins
  CudaMemory pinned_;
  CudaMemory device_;
};

class GuardedImage final : public DeviceImage {
 public:
  GuardedImage(const TensorTable& tensors, const std::vector<Task>& tasks, const MemoryPlan& plan)
      : DeviceImage(plan), layout_(guarded_layout(tensors, tasks, plan)) {
    for (const MemoryBlock& block : layout_.blocks) {
      const bool on_host = plan.region(block.region).space() == MemorySpace::host;
      memory_.emplace_back(on_host ? MemoryKind::pinned_host : MemoryKind::device, block.bytes,
                           "guarded block of a test", MemoryStart::unwritten);
    }
  }

  void upload(TaskArena& arena) override {
    each_block(arena, [](std::byte* in_arena, const CudaMemory& block) {
      copy_and_wait(block.data(), in_arena, block.bytes());
    });
  }
  void download(TaskArena& arena) override {
    each_block(arena, [](std::byte* in_arena, const CudaMemory& block) {
      copy_and_wait(in_arena, block.data(), block.bytes());
    });
  }

 private:
  template <class Use>
  void each_block(TaskArena& arena, Use use) const {
    for (std::size_t index = 0; index < memory_.size(); ++index) {
      const MemoryBlock& block = layout_.blocks[index];
      if (plan().region(block.region).stream) continue;
      use(arena.bytes_of(block.region).data() + block.offset, memory_[index]);
    }
  }
  [[nodiscard]] std::byte* at(const OperandTarget& target) const override {
    if (const auto* tensor = std::get_if<TensorId>(&target)) {
      const CudaMemory& block = memory_[layout_.tensors[tensor->value()]];
      return block.data() + layout_.offset_of(*tensor, plan());
    }
    return block_of(plan().region(std::get<RegionKind>(target)));
  }
  [[nodiscard]] std::byte* workspace(StreamKind stream) const override {
    return block_of(plan().workspace(stream));
  }
  [[nodiscard]] std::byte* block_of(const Region& region) const {
    return memory_[layout_.regions[region.id.value()].value()].data();
  }

  GuardedLayout layout_;
  std::vector<CudaMemory> memory_;  ///< of the blocks
};

}  // namespace

std::unique_ptr<DeviceImage> mirrored_image(TaskArena& layout, const MemoryPlan& plan) {
  return std::make_unique<MirroredImage>(layout, plan);
}

std::unique_ptr<DeviceImage> guarded_image(const TensorTable& tensors,
                                           const std::vector<Task>& tasks, const MemoryPlan& plan) {
  return std::make_unique<GuardedImage>(tensors, tasks, plan);
}

bool wants_guarded_memory() {
  const char* const wanted = std::getenv("QUINTET_GUARDED_MEMORY");
  return wanted != nullptr && std::string_view(wanted) == "1";
}

}  // namespace quintet
