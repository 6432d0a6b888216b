/// Casts between FP32 and FP16, element to element, tensor by tensor: tensors are aligned in their
/// regions, so that a float and its half have different offsets there.
///
/// op kind                 | inputs           | outputs                | task
/// RANGE_CAST_FP32_TO_FP16 | F32 1, ... n     | F16 1, ... n           | copy
/// RANGE_CAST_FP16_TO_FP32 | F16 1, ... n     | F32 1, ... n           | update
/// To FP16 rounds to nearest even. To FP32 ADDS, as gradients do (or overwrites:
/// overwritten_gradients.h).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "runtime/model/op.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

class CudaKernel;
class HostKernel;
class KernelPlanner;

/// Slots of the task over `tensors` pairs.
struct RangeCastSlots {
  std::size_t tensors;
  [[nodiscard]] std::size_t source(std::size_t i) const { return i; }
  [[nodiscard]] std::size_t target(std::size_t i) const { return tensors + i; }
};

std::vector<Task> lower_cast_to_fp16(const Op& op, const TensorTable& tensors);
std::vector<Task> lower_cast_to_fp32(const Op& op, const TensorTable& tensors);

/// Host kernels: range_cast_host.cpp, target quintet_ops_host.
std::unique_ptr<HostKernel> make_cast_to_fp16_host(const Task& task, const TensorTable& tensors);
std::unique_ptr<HostKernel> make_cast_to_fp32_host(const Task& task, const TensorTable& tensors);

/// CUDA kernels: range_cast_cuda.cu, target quintet_ops_cuda.
std::unique_ptr<CudaKernel> make_cast_to_fp16_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& planner);
std::unique_ptr<CudaKernel> make_cast_to_fp32_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& planner);

}  // namespace quintet
