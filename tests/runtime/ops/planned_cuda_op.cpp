#include "tests/runtime/ops/planned_cuda_op.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "runtime/exec/weight_layout.h"
#include "runtime/ops/cuda_kernel_catalog.h"
#include "runtime/ops/op_catalog.h"
#include "runtime/policy/memory_planner.h"

namespace quintet {

namespace {

template <class T>
T planned_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(to_string(result.error()));
  return *std::move(result);
}

using Relayout = std::vector<std::byte> (*)(std::span<const std::byte> bytes, const Shape& hwio,
                                            std::uint64_t element_bytes);

void relay_weights(TaskArena& arena, const TensorTable& tensors, Relayout relayout) {
  for (const Tensor& tensor : tensors.all()) {
    if (!lies_as_krsc(tensor)) continue;
    const std::span<std::byte> bytes = arena.bytes_of(tensor.id);
    const std::vector<std::byte> moved = relayout(bytes, tensor.shape, bytes_of(tensor.dtype));
    std::copy(moved.begin(), moved.end(), bytes.begin());
  }
}

}  // namespace

void PlannedCudaOp::take(TaskArena& from, const MemoryPlan& from_plan) {
  std::memset(arena->all().data(), 0xFF, arena->all().size());
  for (const Region& region : memory.regions()) {
    if (region.stream) continue;
    const std::span<std::byte> source = from.bytes_of(from_plan.region(region.kind).id);
    std::copy(source.begin(), source.end(), arena->bytes_of(region.id).begin());
  }
}

void PlannedCudaOp::run() {
  relay_weights(*arena, op_case.tensors, krsc_from_hwio);
  image->upload(*arena);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (kernels[i]) image->launch(tasks[i], kStream, *kernels[i], device->context.on(kStream));
  }
  image->download(*arena);
  relay_weights(*arena, op_case.tensors, hwio_from_krsc);
}

void PlannedCudaOp::run_task(std::size_t index, TaskArena& bytes) {
  image->upload(bytes);
  image->launch(tasks[index], kStream, *kernels[index], device->context.on(kStream));
  image->download(bytes);
}

std::unique_ptr<PlannedCudaOp> plan_cuda_ops(OpCase op_case, const std::vector<Op>& ops,
                                             Lowering lowering, CudaTestDevice& device) {
  auto planned = std::make_unique<PlannedCudaOp>();
  planned->device = &device;
  planned->op_case = std::move(op_case);
  const TensorTable& tensors = planned->op_case.tensors;
  planned->tasks = planned_or_throw(lower(ops, tensors, lowering));
  std::array<std::uint64_t, kStreamCount> workspace{};
  std::uint64_t& most = workspace[index_of(PlannedCudaOp::kStream)];
  for (Task& task : planned->tasks) {
    planned->kernels.emplace_back();
    if (task.part == TaskPart::host) continue;
    planned->kernels.back() = planned_or_throw(make_cuda_kernel(task, tensors, device.planner));
    task.workspace_bytes = planned->kernels.back()->workspace_bytes();
    most = std::max(most, task.workspace_bytes);
  }
  planned->memory =
      plan_memory(tensors, planned->tasks, GradientMode::separate, workspace, FeatureSharing::none);
  planned->arena = std::make_unique<TaskArena>(tensors, planned->memory);
  planned->image = wants_guarded_memory() ? guarded_image(tensors, planned->tasks, planned->memory)
                                          : mirrored_image(*planned->arena, planned->memory);
  for (std::size_t i = 0; i < planned->tasks.size(); ++i) {
    if (planned->kernels[i])
      planned->image->bind(planned->tasks[i], PlannedCudaOp::kStream, *planned->kernels[i]);
  }
  return planned;
}

std::unique_ptr<PlannedCudaOp> plan_cuda_op(OpCase op_case, CudaTestDevice& device) {
  const std::vector<Op> ops = {op_case.op};
  return plan_cuda_ops(std::move(op_case), ops, Lowering::article, device);
}

}  // namespace quintet
