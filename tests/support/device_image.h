/// The bytes of a TaskArena on a GPU, guards included: host regions in pinned memory, the others on
/// the device. CUDA kernels run alone on them.
#pragma once

#include "runtime/cuda/cuda_kernel.h"
#include "runtime/cuda/cuda_memory.h"
#include "tests/support/task_arena.h"

namespace quintet {

/// Owns one copy of the arena's bytes in each of the two memories: that a task strays from its own
/// one into the other is seen too. The plan must outlive it. Throws CudaError.
class DeviceImage {
 public:
  /// `layout`: an arena of the plan, for the places of its regions.
  DeviceImage(TaskArena& layout, const MemoryPlan& plan);

  void upload(TaskArena& arena);
  /// Binds the kernel to the addresses of the task's operands; once, before it is launched.
  void bind(const Task& task, StreamKind stream, CudaKernel& kernel);
  /// Runs the task as if placed on `stream`, and waits.
  void launch(const Task& task, StreamKind stream, CudaKernel& kernel, const StreamResources& on);
  /// `arena` must still hold what was uploaded: a byte that changed in either memory is taken from
  /// there.
  void download(TaskArena& arena);

 private:
  [[nodiscard]] std::byte* address(const Access& access) const;
  template <class Use>
  void with_args(const Task& task, StreamKind stream, Use use);

  const MemoryPlan& plan_;
  std::vector<std::uint64_t> begins_;  ///< by RegionId
  std::uint64_t device_begin_ = 0;     ///< where the device's part of the bytes begins
  CudaMemory pinned_;
  CudaMemory device_;
};

}  // namespace quintet
