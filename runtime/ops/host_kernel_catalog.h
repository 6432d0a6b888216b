/// The host kernels: one line per (op kind, part) that the op catalog can yield, and per pattern of
/// the fusion catalog. Needs oneDNN.
#pragma once

#include <span>

#include "runtime/host/host_kernel.h"
#include "runtime/model/result.h"

namespace quintet {

struct HostKernelEntry {
  OpKind kind;
  TaskPart part;
  HostKernelFactory make = nullptr;
};

/// Of a task of kind `producer` that is fused_with a `consumer`.
struct FusedKernelEntry {
  OpKind producer;
  OpKind consumer;
  HostKernelFactory make = nullptr;
};

std::span<const HostKernelEntry> host_kernel_catalog();
std::span<const FusedKernelEntry> fused_kernel_catalog();

/// Plans the kernel of a task. The caller's thread must have OpenMP pinned to one thread
/// (host/openmp_pin.h). Errors: no kernel for the kind and part; a library that offers only a
/// reference implementation.
Result<std::unique_ptr<HostKernel>> make_host_kernel(const Task& task, const TensorTable& tensors);

}  // namespace quintet
