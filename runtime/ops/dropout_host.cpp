#include <algorithm>
#include <array>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/dropout.h"
#include "runtime/ops/philox.h"
#include "runtime/ops/vector_math.h"

namespace quintet {

namespace {

constexpr std::size_t kNumbersPerBlock = 4;
// Blocks drawn together, so that the rounds fill vectors.
constexpr std::size_t kBlocks = 16;
constexpr std::size_t kNumbers = kNumbersPerBlock * kBlocks;
constexpr int kHalf = 32;

std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}
std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> kHalf);
}

/// The numbers of kBlocks consecutive blocks of one step, in the order of the elements they decide.
std::array<std::uint32_t, kNumbers> numbers_of(std::uint64_t first_block, std::uint64_t step,
                                               PhiloxKey key) {
  std::array<std::array<std::uint32_t, kBlocks>, kNumbersPerBlock> words;
  for (std::size_t b = 0; b < kBlocks; ++b) {
    words[0][b] = low(first_block + b);
    words[1][b] = high(first_block + b);
    words[2][b] = low(step);
    words[3][b] = high(step);
  }
  for (int round = 0; round < kPhiloxRounds; ++round) {
    for (std::size_t b = 0; b < kBlocks; ++b) {
      const PhiloxCounter after =
          philox_round({words[0][b], words[1][b], words[2][b], words[3][b]}, key);
      for (std::size_t i = 0; i < kNumbersPerBlock; ++i)
        words[i][b] = after[i];
    }
    key = next_philox_key(key);
  }
  std::array<std::uint32_t, kNumbers> numbers;
  for (std::size_t b = 0; b < kBlocks; ++b) {
    for (std::size_t i = 0; i < kNumbersPerBlock; ++i)
      numbers[b * kNumbersPerBlock + i] = words[i][b];
  }
  return numbers;
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
    draw(step, static_cast<std::size_t>(count), mask);
    const float* __restrict x = args.read<float>(Slots::X);
    float* __restrict y = args.write<float>(Slots::Y);
    const std::uint8_t* __restrict kept = mask;
    const float scale = scale_;
    for (std::int64_t i = 0; i < count; ++i)
      y[i] = select(kept[i] != 0, x[i] * scale, 0.0F);
  }

 private:
  void draw(std::uint64_t step, std::size_t count, std::uint8_t* __restrict mask) const {
    const std::uint32_t threshold = threshold_;
    for (std::size_t first = 0; first < count; first += kNumbers) {
      const auto numbers = numbers_of(first / kNumbersPerBlock, step, key_);
      const std::size_t here = std::min(kNumbers, count - first);
      for (std::size_t i = 0; i < here; ++i)
        mask[first + i] = numbers[i] >= threshold ? 1 : 0;
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
