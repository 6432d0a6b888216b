/// The bytes of a TaskArena on a GPU: host regions in pinned memory, the others on the device. CUDA
/// kernels run alone on them.
#pragma once

#include <memory>
#include <vector>

#include "runtime/cuda/cuda_kernel.h"
#include "tests/support/task_arena.h"

namespace quintet {

/// Throws CudaError.
class DeviceImage {
 public:
  explicit DeviceImage(const MemoryPlan& plan) : plan_(plan) {}
  virtual ~DeviceImage() = default;
  DeviceImage(const DeviceImage&) = delete;
  DeviceImage& operator=(const DeviceImage&) = delete;

  virtual void upload(TaskArena& arena) = 0;
  /// `arena` must still hold what was uploaded.
  virtual void download(TaskArena& arena) = 0;

  /// Binds the kernel to the addresses of the task's operands; once, before it is launched.
  void bind(const Task& task, StreamKind stream, CudaKernel& kernel) const;
  /// Runs the task as if placed on `stream`, and waits.
  void launch(const Task& task, StreamKind stream, CudaKernel& kernel,
              const StreamResources& on) const;

 protected:
  [[nodiscard]] const MemoryPlan& plan() const { return plan_; }

 private:
  /// Where the bytes of an operand begin.
  [[nodiscard]] virtual std::byte* at(const OperandTarget& target) const = 0;
  [[nodiscard]] virtual std::byte* workspace(StreamKind stream) const = 0;
  template <class Use>
  void with_args(const Task& task, StreamKind stream, Use use) const;

  const MemoryPlan& plan_;
};

/// Owns one copy of all bytes, guards included, in each of the two memories: that a task strays is
/// seen in the guards, and that it strays from its own memory into the other too. `layout`: an arena
/// of the plan, for the places of its regions.
std::unique_ptr<DeviceImage> mirrored_image(TaskArena& layout, const MemoryPlan& plan);

/// Owns an allocation for each block of guarded_layout(): compute-sanitizer sees that a task strays.
/// Workspaces are not copied either way: it sees, too, that a task reads scratch that nobody wrote.
/// No two tensors may lie on common bytes in the plan.
std::unique_ptr<DeviceImage> guarded_image(const TensorTable& tensors,
                                           const std::vector<Task>& tasks, const MemoryPlan& plan);

/// Whether the environment asks for guarded memory: QUINTET_GUARDED_MEMORY=1
/// (tests/sanitize_gpu.sh).
bool wants_guarded_memory();

}  // namespace quintet
