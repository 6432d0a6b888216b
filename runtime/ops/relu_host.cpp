#include <bit>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/relu.h"

namespace quintet {

namespace {

class ReluForward final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = ReluForwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::X) / sizeof(float));
    const float* __restrict x = args.read<float>(Slots::X);
    float* __restrict y = args.write<float>(Slots::Y);
    // Compared with "<= 0", not "> 0": NaN passes.
    for (std::int64_t i = 0; i < count; ++i)
      y[i] = x[i] <= 0.0F ? 0.0F : x[i];
    if (args.size() <= Slots::mask) return;
    std::uint8_t* __restrict mask = args.write<std::uint8_t>(Slots::mask);
    for (std::int64_t i = 0; i < count; ++i)
      mask[i] = x[i] <= 0.0F ? 0 : 1;
  }
};

class ReluBackward final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = ReluBackwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::dX) / sizeof(float));
    const float* __restrict dy = args.read<float>(Slots::dY);
    const std::uint8_t* __restrict mask = args.read<std::uint8_t>(Slots::mask);
    float* __restrict dx = args.write<float>(Slots::dX);
    // Selected by bits: whether a value passed is random, and a branch on it is mispredicted.
    for (std::int64_t i = 0; i < count; ++i) {
      const std::uint32_t keep = 0U - static_cast<std::uint32_t>(mask[i] != 0);
      dx[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(dy[i]) & keep);
    }
  }
};

}  // namespace

std::unique_ptr<HostKernel> make_relu_forward_host(const Task& /*task*/,
                                                   const TensorTable& /*tensors*/) {
  return std::make_unique<ReluForward>();
}

std::unique_ptr<HostKernel> make_relu_backward_host(const Task& /*task*/,
                                                    const TensorTable& /*tensors*/) {
  return std::make_unique<ReluBackward>();
}

}  // namespace quintet
