/// Host kernels that are one oneDNN call: operands in, one operand out, scratch from the workspace.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime/host/host_kernel.h"
#include "runtime/host/onednn.h"

namespace quintet {

/// Reads the operands of `inputs` in the call's order and writes (or updates) the operand `output`.
class OneDnnKernel final : public HostKernel {
 public:
  OneDnnKernel(OneDnnCall call, std::vector<std::size_t> inputs, std::size_t output);
  [[nodiscard]] std::uint64_t workspace_bytes() const override;
  [[nodiscard]] std::string implementation() const override;
  void run(const TaskArgs& args, const RunContext& context) override;

 private:
  OneDnnCall call_;
  std::vector<std::size_t> inputs_;
  std::size_t output_;
  std::vector<const float*> pointers_;
};

}  // namespace quintet
