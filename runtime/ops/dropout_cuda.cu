#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/cuda_elementwise.cuh"
#include "runtime/ops/dropout.h"
#include "runtime/ops/philox.h"

namespace quintet {

namespace {

constexpr int kNumbersPerBlock = 4;
constexpr int kHalf = 32;

__host__ __device__ constexpr std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}
__host__ __device__ constexpr std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> kHalf);
}

struct DropoutRule {
  std::uint32_t threshold;
  float scale;
  PhiloxKey key;
};

template <class T>
struct ForwardBody {
  static constexpr int kWidth = kVectorWidth<T>;
  static_assert(kWidth % kNumbersPerBlock == 0);
  const T* x;
  const std::int64_t* counter;
  T* y;
  std::uint8_t* mask;
  DropoutRule rule;

  template <int width>
  __device__ Packed<T, width> load(std::int64_t first) const {
    return load_packed<width>(x + first);
  }

  template <int width>
  __device__ void finish(std::int64_t first, const Packed<T, width>& loaded) const {
    Packed<std::uint8_t, width> kept;
    if constexpr (width == 1) {
      const PhiloxCounter numbers = numbers_of(first / kNumbersPerBlock);
      // Picked without an index, which would put the numbers into local memory.
#pragma unroll
      for (int i = 0; i < kNumbersPerBlock; ++i) {
        if (first % kNumbersPerBlock == i) kept.values[0] = keeps(numbers[i]);
      }
    } else {
#pragma unroll
      for (int begin = 0; begin < width; begin += kNumbersPerBlock) {
        const PhiloxCounter numbers = numbers_of((first + begin) / kNumbersPerBlock);
#pragma unroll
        for (int i = 0; i < kNumbersPerBlock; ++i)
          kept.values[begin + i] = keeps(numbers[i]);
      }
    }
    Floats<width> values = widened(loaded);
#pragma unroll
    for (int i = 0; i < width; ++i)
      values[i] = kept.values[i] != 0 ? values[i] * rule.scale : 0.0F;
    store_floats(y + first, values);
    store_packed(mask + first, kept);
  }

 private:
  __device__ PhiloxCounter numbers_of(std::int64_t block) const {
    const auto number = static_cast<std::uint64_t>(block);
    const auto step = static_cast<std::uint64_t>(*counter);
    return philox_4x32_10({low(number), high(number), low(step), high(step)}, rule.key);
  }
  __device__ std::uint8_t keeps(std::uint32_t number) const {
    return number >= rule.threshold ? 1 : 0;
  }
};

template <class T>
struct BackwardBody {
  static constexpr int kWidth = kVectorWidth<T>;
  const T* dy;
  const std::uint8_t* mask;
  T* dx;
  float scale;

  template <int width>
  struct Loaded {
    Packed<T, width> dy;
    Packed<std::uint8_t, width> mask;
  };
  template <int width>
  __device__ Loaded<width> load(std::int64_t first) const {
    return {load_packed<width>(dy + first), load_packed<width>(mask + first)};
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Loaded<width>& loaded) const {
    Floats<width> values = widened(loaded.dy);
#pragma unroll
    for (int i = 0; i < width; ++i)
      values[i] = loaded.mask.values[i] != 0 ? values[i] * scale : 0.0F;
    store_floats(dx + first, values);
  }
};

template <class T>
class DropoutForward final : public CudaKernel {
 public:
  explicit DropoutForward(const DropoutHyper& hyper)
      : rule_{dropout_threshold(hyper), dropout_scale(hyper), {low(hyper.seed), high(hyper.seed)}} {
  }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = DropoutForwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::X) / sizeof(T));
    launch_elementwise(
        ForwardBody<T>{args.read<T>(Slots::X), args.read<std::int64_t>(Slots::counter),
                       args.write<T>(Slots::Y), args.write<std::uint8_t>(Slots::mask), rule_},
        count, on.stream, "launching dropout forward");
  }

 private:
  DropoutRule rule_;
};

template <class T>
class DropoutBackward final : public CudaKernel {
 public:
  explicit DropoutBackward(const DropoutHyper& hyper) : scale_(dropout_scale(hyper)) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = DropoutBackwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::dX) / sizeof(T));
    launch_elementwise(
        BackwardBody<T>{args.read<T>(Slots::dY), args.read<std::uint8_t>(Slots::mask),
                        args.write<T>(Slots::dX), scale_},
        count, on.stream, "launching dropout backward");
  }

 private:
  float scale_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_dropout_forward_cuda(const Task& task, const TensorTable& tensors,
                                                      KernelPlanner& /*planner*/) {
  return make_for_dtype<DropoutForward>(task, tensors, DropoutForwardSlots::X,
                                        std::get<DropoutHyper>(task.attributes));
}

std::unique_ptr<CudaKernel> make_dropout_backward_cuda(const Task& task, const TensorTable& tensors,
                                                       KernelPlanner& /*planner*/) {
  return make_for_dtype<DropoutBackward>(task, tensors, DropoutBackwardSlots::dY,
                                         std::get<DropoutHyper>(task.attributes));
}

}  // namespace quintet
