/// A kernel of the host that takes longer than it needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "runtime/host/host_kernel.h"
#include "runtime/model/nanos.h"

namespace quintet {

/// Does what the kernel does, then keeps its thread busy.
class DelayedHostKernel final : public HostKernel {
 public:
  DelayedHostKernel(std::unique_ptr<HostKernel> kernel, std::int64_t nanoseconds)
      : kernel_(std::move(kernel)), nanoseconds_(nanoseconds) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return kernel_->workspace_bytes();
  }
  [[nodiscard]] std::string implementation() const override { return kernel_->implementation(); }
  void run(const TaskArgs& args, const RunContext& context) override {
    kernel_->run(args, context);
    const std::int64_t end = monotonic_ns() + nanoseconds_;
    while (monotonic_ns() < end) {
    }
  }

 private:
  std::unique_ptr<HostKernel> kernel_;
  std::int64_t nanoseconds_;
};

}  // namespace quintet
