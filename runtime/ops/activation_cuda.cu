#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

#include "runtime/ops/activation.h"
#include "runtime/ops/cuda_element_type.h"
#include "runtime/ops/cuda_elementwise.cuh"

namespace quintet {

namespace {

/// f(x) and what backward needs of it.
template <class Kept>
struct Sample {
  using Saved = Kept;
  float value;
  Kept saved;
};
using MaskSample = Sample<std::uint8_t>;
using DerivativeSample = Sample<float>;

// One functor per function, the formulas of activation_host.cpp. Comparisons are written so that
// NaN reaches `value`.

struct Relu6 {
  __device__ MaskSample operator()(float x) const {
    const float floored = x <= 0.0F ? 0.0F : x;
    const bool passes = !(x <= 0.0F) && !(x >= 6.0F);
    return {x >= 6.0F ? 6.0F : floored, static_cast<std::uint8_t>(passes ? 1 : 0)};
  }
};

struct LeakyRelu {
  float alpha;
  __device__ MaskSample operator()(float x) const {
    return {x <= 0.0F ? alpha * x : x, static_cast<std::uint8_t>(x <= 0.0F ? 0 : 1)};
  }
};

struct Tanh {
  /// With e = exp(-2|x|): tanh|x| = (1 - e) / (1 + e) and tanh' = 4e / (1 + e)^2. Neither subtracts
  /// nearly equal numbers, 1 - e being computed as one.
  __device__ DerivativeSample operator()(float x) const {
    const float exponent = -2.0F * fabsf(x);
    const float e = expf(exponent);
    const float reciprocal = 1.0F / (1.0F + e);
    const float magnitude = -expm1f(exponent) * reciprocal;
    return {copysignf(magnitude, x), 4.0F * e * reciprocal * reciprocal};
  }
};

/// The logistic function and its derivative, the small side of it without cancellation.
struct Logistic {
  float value, derivative;
  __device__ explicit Logistic(float x) {
    const float e = expf(-fabsf(x));
    const float large = 1.0F / (1.0F + e);
    const float small = e * large;
    value = x < 0.0F ? small : large;
    derivative = large * small;
  }
};

struct Silu {
  __device__ DerivativeSample operator()(float x) const {
    const Logistic s(x);
    return {x * s.value, s.value + x * s.derivative};
  }
};

struct Sigmoid {
  __device__ DerivativeSample operator()(float x) const {
    const Logistic s(x);
    return {s.value, s.derivative};
  }
};

struct Hardswish {
  __device__ DerivativeSample operator()(float x) const {
    constexpr float kSixth = 1.0F / 6.0F;
    const float lifted = x + 3.0F;
    const float floored = lifted <= 0.0F ? 0.0F : lifted;
    const float gate = lifted >= 6.0F ? 6.0F : floored;
    const float slope = (2.0F * x + 3.0F) * kSixth;
    const float above = x >= 3.0F ? 1.0F : slope;
    return {x * gate * kSixth, x <= -3.0F ? 0.0F : above};
  }
};

struct Elu {
  float alpha;
  __device__ DerivativeSample operator()(float x) const {
    const bool positive = x > 0.0F;
    const float exponent = positive ? 0.0F : x;
    return {positive ? x : alpha * expm1f(exponent), positive ? 1.0F : alpha * expf(exponent)};
  }
};

template <class Function>
using SavedOf = typename decltype(std::declval<Function>()(0.0F))::Saved;

template <class T, class Function, bool keeps>
struct ForwardBody {
  static constexpr int kWidth = kVectorWidth<T>;
  Function function;
  const T* x;
  T* y;
  SavedOf<Function>* saved;

  template <int width>
  __device__ Packed<T, width> load(std::int64_t first) const {
    return load_packed<width>(x + first);
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Packed<T, width>& loaded) const {
    Floats<width> values = widened(loaded);
    Packed<SavedOf<Function>, width> kept;
#pragma unroll
    for (int i = 0; i < width; ++i) {
      const auto sample = function(values[i]);
      values[i] = sample.value;
      if constexpr (keeps) kept.values[i] = sample.saved;
    }
    store_floats(y + first, values);
    if constexpr (keeps) store_packed(saved + first, kept);
  }
};

/// dX = dY where the mask is set, else `slope` * dY.
struct ByMask {
  using Saved = std::uint8_t;
  float slope;
  __device__ float operator()(float dy, std::uint8_t mask) const {
    return mask != 0 ? dy : slope * dy;
  }
};

/// dX = dY * f'(X).
struct ByDerivative {
  using Saved = float;
  __device__ float operator()(float dy, float derivative) const { return dy * derivative; }
};

template <class T, class Rule>
struct BackwardBody {
  static constexpr int kWidth = kVectorWidth<T>;
  Rule rule;
  const T* dy;
  const typename Rule::Saved* saved;
  T* dx;

  template <int width>
  struct Loaded {
    Packed<T, width> dy;
    Packed<typename Rule::Saved, width> saved;
  };
  template <int width>
  __device__ Loaded<width> load(std::int64_t first) const {
    return {load_packed<width>(dy + first), load_packed<width>(saved + first)};
  }
  template <int width>
  __device__ void finish(std::int64_t first, const Loaded<width>& loaded) const {
    Floats<width> values = widened(loaded.dy);
#pragma unroll
    for (int i = 0; i < width; ++i)
      values[i] = rule(values[i], loaded.saved.values[i]);
    store_floats(dx + first, values);
  }
};

template <class T, class Function>
class Forward final : public CudaKernel {
 public:
  explicit Forward(Function function) : function_(function) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    if (args.size() > ActivationForwardSlots::saved) {
      launch_body<true>(args, on, args.write<SavedOf<Function>>(ActivationForwardSlots::saved));
    } else {
      launch_body<false>(args, on, nullptr);
    }
  }

 private:
  template <bool keeps>
  void launch_body(const TaskArgs& args, const StreamResources& on,
                   SavedOf<Function>* saved) const {
    using Slots = ActivationForwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::X) / sizeof(T));
    launch_elementwise(ForwardBody<T, Function, keeps>{function_, args.read<T>(Slots::X),
                                                       args.write<T>(Slots::Y), saved},
                       count, on.stream, "launching activation forward");
  }

  Function function_;
};

template <class T, class Rule>
class Backward final : public CudaKernel {
 public:
  explicit Backward(Rule rule) : rule_(rule) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = ActivationBackwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::dX) / sizeof(T));
    launch_elementwise(BackwardBody<T, Rule>{rule_, args.read<T>(Slots::dY),
                                             args.read<typename Rule::Saved>(Slots::saved),
                                             args.write<T>(Slots::dX)},
                       count, on.stream, "launching activation backward");
  }

 private:
  Rule rule_;
};

/// Kernel<T, Function> for the element type of the operand in slot 0: X, or dY.
template <template <class, class> class Kernel, class Function>
std::unique_ptr<CudaKernel> make(const Task& task, const TensorTable& tensors, Function function) {
  const DType dtype = operand_dtype(task, tensors, 0);
  assert(dtype == DType::F32 || dtype == DType::F16);
  if (dtype == DType::F16) return std::make_unique<Kernel<__half, Function>>(function);
  return std::make_unique<Kernel<float, Function>>(function);
}

float alpha_of(const Task& task) {
  return std::get<SlopeHyper>(task.attributes).alpha;
}

}  // namespace

std::unique_ptr<CudaKernel> make_activation_forward_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& /*planner*/) {
  const std::optional<Activation> activation = activation_of(task.kind);
  assert(activation);
  switch (*activation) {
    case Activation::RELU6:
      return make<Forward>(task, tensors, Relu6{});
    case Activation::LEAKY_RELU:
      return make<Forward>(task, tensors, LeakyRelu{alpha_of(task)});
    case Activation::TANH:
      return make<Forward>(task, tensors, Tanh{});
    case Activation::SILU:
      return make<Forward>(task, tensors, Silu{});
    case Activation::SIGMOID:
      return make<Forward>(task, tensors, Sigmoid{});
    case Activation::HARDSWISH:
      return make<Forward>(task, tensors, Hardswish{});
    case Activation::ELU:
      return make<Forward>(task, tensors, Elu{alpha_of(task)});
  }
  return nullptr;
}

std::unique_ptr<CudaKernel> make_activation_backward_cuda(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& /*planner*/) {
  const std::optional<Activation> activation = activation_of(task.kind);
  assert(activation);
  if (saved_dtype_of(*activation) == DType::F32)
    return make<Backward>(task, tensors, ByDerivative{});
  const bool leaky = *activation == Activation::LEAKY_RELU;
  return make<Backward>(task, tensors, ByMask{leaky ? alpha_of(task) : 0.0F});
}

}  // namespace quintet
