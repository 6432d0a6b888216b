/// A task's code on the host executor. Planned once before the run, run many times; owns no memory
/// that tasks share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "runtime/model/task.h"
#include "runtime/model/task_args.h"

namespace quintet {

/// What a run knows beside its memory.
struct RunContext {
  std::int64_t step = 0;  ///< the step the task serves, counted over the run from 0
};

/// Threads: run() is called by one thread at a time. Throws std::runtime_error only where the
/// library below does.
class HostKernel {
 public:
  virtual ~HostKernel() = default;
  /// Scratch wanted on the stream that runs it; constant over the kernel's life.
  [[nodiscard]] virtual std::uint64_t workspace_bytes() const { return 0; }
  /// The library's name of the implementation ("gemm:jit"), or "own".
  [[nodiscard]] virtual std::string implementation() const { return "own"; }
  virtual void run(const TaskArgs& args, const RunContext& context) = 0;
};

using HostKernelFactory = std::unique_ptr<HostKernel> (*)(const Task& task,
                                                          const TensorTable& tensors);

}  // namespace quintet
