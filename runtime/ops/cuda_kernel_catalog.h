/// The CUDA kernels: one line per (op kind, part) that the op catalog can yield, and per pattern of
/// the fusion catalog; FP32 and AMP twins share their factories. Needs the CUDA toolkit.
#pragma once

#include <span>

#include "runtime/cuda/cuda_kernel.h"
#include "runtime/model/result.h"

namespace quintet {

struct CudaKernelEntry {
  OpKind kind;
  TaskPart part;
  CudaKernelFactory make = nullptr;
};

/// Of a task of kind `producer` that is fused_with a `consumer`.
struct FusedCudaKernelEntry {
  OpKind producer;
  OpKind consumer;
  CudaKernelFactory make = nullptr;
};

std::span<const CudaKernelEntry> cuda_kernel_catalog();
std::span<const FusedCudaKernelEntry> fused_cuda_kernel_catalog();

/// Plans the kernel of a task on the planner's device. Errors: no kernel for the kind and part; a
/// library that has no plan for the task.
Result<std::unique_ptr<CudaKernel>> make_cuda_kernel(const Task& task, const TensorTable& tensors,
                                                     KernelPlanner& planner);

}  // namespace quintet
