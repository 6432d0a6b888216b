#include <algorithm>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/dropout.h"
#include "runtime/ops/philox.h"
#include "runtime/ops/vector_math.h"

namespace quintet {

namespace {

constexpr std::int64_t kNumbersPerBlock = 4;
constexpr int kHalf = 32;

std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}
std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> kHalf);
}

class DropoutForward final : public HostKernel {
 public:
  explicit DropoutForward(const DropoutHyper& hyper)
      : threshold_(dropout_threshold(hyper)),
        scale_(dropout_scale(hyper)),
        key_{low(hyper.seed), high(hyper.seed)} {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = DropoutForwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::X) / sizeof(float));
    const auto step = static_cast<std::uint64_t>(*args.read<std::int64_t>(Slots::counter));
    auto* const mask = args.write<std::uint8_t>(Slots::mask);
    draw(step, count, mask);
    const float* __restrict x = args.read<float>(Slots::X);
    float* __restrict y = args.write<float>(Slots::Y);
    const std::uint8_t* __restrict kept = mask;
    const float scale = scale_;
    for (std::int64_t i = 0; i < count; ++i)
      y[i] = select(kept[i] != 0, x[i] * scale, 0.0F);
  }

 private:
  void draw(std::uint64_t step, std::int64_t count, std::uint8_t* mask) const {
    for (std::int64_t first = 0; first < count; first += kNumbersPerBlock) {
      const auto block = static_cast<std::uint64_t>(first / kNumbersPerBlock);
      const PhiloxCounter numbers =
          philox_4x32_10({low(block), high(block), low(step), high(step)}, key_);
      const std::int64_t here = std::min(kNumbersPerBlock, count - first);
      for (std::int64_t i = 0; i < here; ++i)
        mask[first + i] = numbers[static_cast<std::size_t>(i)] >= threshold_ ? 1 : 0;
    }
  }

  std::uint32_t threshold_;
  float scale_;
  PhiloxKey key_;
};

class DropoutBackward final : public HostKernel {
 public:
  explicit DropoutBackward(const DropoutHyper& hyper) : scale_(dropout_scale(hyper)) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = DropoutBackwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::dX) / sizeof(float));
    const float* __restrict dy = args.read<float>(Slots::dY);
    const std::uint8_t* __restrict mask = args.read<std::uint8_t>(Slots::mask);
    float* __restrict dx = args.write<float>(Slots::dX);
    const float scale = scale_;
    for (std::int64_t i = 0; i < count; ++i)
      dx[i] = select(mask[i] != 0, dy[i] * scale, 0.0F);
  }

 private:
  float scale_;
};

}  // namespace

std::unique_ptr<HostKernel> make_dropout_forward_host(const Task& task,
                                                      const TensorTable& /*tensors*/) {
  return std::make_unique<DropoutForward>(std::get<DropoutHyper>(task.attributes));
}

std::unique_ptr<HostKernel> make_dropout_backward_host(const Task& task,
                                                       const TensorTable& /*tensors*/) {
  return std::make_unique<DropoutBackward>(std::get<DropoutHyper>(task.attributes));
}

}  // namespace quintet
