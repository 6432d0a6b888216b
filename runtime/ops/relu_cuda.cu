#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/cuda_elementwise.cuh"
#include "runtime/ops/cuda_relu.cuh"
#include "runtime/ops/relu.h"

namespace quintet {

namespace {

template <class T, Epilogue epilogue>
struct ForwardBody {
  static constexpr int kWidth = kVectorWidth<T>;
  const T* x;
  T* y;
  std::uint8_t* mask;

  template <int width>
  __device__ Packed<T, width> load(std::int64_t first) const {
    return load_packed<width>(x + first);
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Packed<T, width>& loaded) const {
    store_result<epilogue>(widened(loaded), y + first, mask + first);
  }
};

template <class T>
struct BackwardBody {
  static constexpr int kWidth = kVectorWidth<T>;
  const T* dy;
  const std::uint8_t* mask;
  T* dx;

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
    Packed<T, width> result;
#pragma unroll
    for (int i = 0; i < width; ++i)
      result.values[i] = loaded.mask.values[i] != 0 ? loaded.dy.values[i] : T(0.0F);
    store_packed(dx + first, result);
  }
};

template <class T>
class ReluForward final : public CudaKernel {
 public:
  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = ReluForwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::X) / sizeof(T));
    const T* const x = args.read<T>(Slots::X);
    T* const y = args.write<T>(Slots::Y);
    if (args.size() > Slots::mask) {
      auto* const mask = args.write<std::uint8_t>(Slots::mask);
      launch_elementwise(ForwardBody<T, Epilogue::relu_with_mask>{x, y, mask}, count, on.stream,
                         "launching ReLU forward");
    } else {
      launch_elementwise(ForwardBody<T, Epilogue::relu>{x, y, nullptr}, count, on.stream,
                         "launching ReLU forward");
    }
  }
};

template <class T>
class ReluBackward final : public CudaKernel {
 public:
  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = ReluBackwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::dX) / sizeof(T));
    launch_elementwise(
        BackwardBody<T>{args.read<T>(Slots::dY), args.read<std::uint8_t>(Slots::mask),
                        args.write<T>(Slots::dX)},
        count, on.stream, "launching ReLU backward");
  }
};

}  // namespace

std::unique_ptr<CudaKernel> make_relu_forward_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& /*planner*/) {
  return make_for_dtype<ReluForward>(task, tensors, ReluForwardSlots::X);
}

std::unique_ptr<CudaKernel> make_relu_backward_cuda(const Task& task, const TensorTable& tensors,
                                                    KernelPlanner& /*planner*/) {
  return make_for_dtype<ReluBackward>(task, tensors, ReluBackwardSlots::dY);
}

}  // namespace quintet
