/// A task's code on the GPU. Planned once before the run, bound once to its operands' addresses,
/// launched many times; owns no memory that tasks share.
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <memory>
#include <string>

#include "runtime/model/task.h"
#include "runtime/model/task_args.h"
#include "runtime/model/tensor.h"

namespace quintet {

class KernelPlanner;

/// A stream with the library handles that are bound to it and nowhere else used.
struct StreamResources {
  cudaStream_t stream = nullptr;
  cudnnHandle_t cudnn = nullptr;
  cublasLtHandle_t cublas = nullptr;
};

/// Threads: one caller at a time. Throws CudaError. The pointers of TaskArgs are device addresses,
/// or pinned host memory that the device can reach.
class CudaKernel {
 public:
  virtual ~CudaKernel() = default;
  /// Scratch wanted on the stream that runs it, 256-byte aligned; constant over the kernel's life.
  [[nodiscard]] virtual std::uint64_t workspace_bytes() const { return 0; }
  /// The library's name of the implementation and what pins its bits, or "own".
  [[nodiscard]] virtual std::string implementation() const { return "own"; }
  /// Before the first launch and again where later launches have other addresses, outside capture:
  /// tables of addresses on the device are made here.
  virtual void bind(const TaskArgs& /*args*/) {}
  /// Enqueues the work on the stream; the same `args` as in the last bind(). May be captured: no
  /// allocation, no synchronisation, no event.
  virtual void launch(const TaskArgs& args, const StreamResources& on) = 0;
};

using CudaKernelFactory = std::unique_ptr<CudaKernel> (*)(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& planner);

}  // namespace quintet
