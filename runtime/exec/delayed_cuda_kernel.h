/// A kernel that takes longer than it needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "runtime/cuda/cuda_kernel.h"
#include "runtime/cuda/device_delay.h"

namespace quintet {

/// Does what the kernel does, then waits on its stream.
class DelayedCudaKernel final : public CudaKernel {
 public:
  DelayedCudaKernel(std::unique_ptr<CudaKernel> kernel, std::int64_t nanoseconds)
      : kernel_(std::move(kernel)), nanoseconds_(nanoseconds) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return kernel_->workspace_bytes();
  }
  [[nodiscard]] std::string implementation() const override { return kernel_->implementation(); }
  void bind(const TaskArgs& args) override { kernel_->bind(args); }
  void launch(const TaskArgs& args, const StreamResources& on) override {
    kernel_->launch(args, on);
    enqueue_delay(on.stream, nanoseconds_);
  }

 private:
  std::unique_ptr<CudaKernel> kernel_;
  std::int64_t nanoseconds_;
};

}  // namespace quintet
