#include <cassert>
#include <cmath>

#include "runtime/host/host_kernel.h"
#include "runtime/ops/activation.h"
#include "runtime/ops/vector_math.h"

namespace quintet {

namespace {

/// f(x) and what backward needs of it.
template <class Saved>
struct Sample {
  float value;
  Saved saved;
};

// One functor per function. Comparisons are written so that NaN reaches `value`.

struct Relu6 {
  Sample<std::uint8_t> operator()(float x) const {
    const float floored = select(x <= 0.0F, 0.0F, x);
    const bool passes = !(x <= 0.0F) & !(x >= 6.0F);
    return {select(x >= 6.0F, 6.0F, floored), static_cast<std::uint8_t>(passes)};
  }
};

struct LeakyRelu {
  float alpha;
  Sample<std::uint8_t> operator()(float x) const {
    return {select(x <= 0.0F, alpha * x, x), static_cast<std::uint8_t>(!(x <= 0.0F))};
  }
};

struct Tanh {
  /// With e = exp(-2|x|): tanh|x| = (1 - e) / (1 + e) and tanh' = 4e / (1 + e)^2. Neither subtracts
  /// nearly equal numbers, 1 - e being computed as one.
  Sample<float> operator()(float x) const {
    const Exponential e = exp_of_nonpositive(-2.0F * std::abs(x));
    const float reciprocal = 1.0F / (1.0F + e.exp);
    const float magnitude = -e.exp_minus_1 * reciprocal;
    return {std::copysign(magnitude, x), 4.0F * e.exp * reciprocal * reciprocal};
  }
};

/// The logistic function, its complement to 1 and its derivative, the small one of the two without
/// cancellation.
struct Logistic {
  float value, complement, derivative;
  explicit Logistic(float x) {
    const float e = exp_of_nonpositive(-std::abs(x)).exp;
    const float large = 1.0F / (1.0F + e);
    const float small = e * large;
    value = select(x < 0.0F, small, large);
    complement = select(x < 0.0F, large, small);
    derivative = large * small;
  }
};

struct Silu {
  Sample<float> operator()(float x) const {
    const Logistic s(x);
    return {x * s.value, s.value + x * s.derivative};
  }
};

struct Sigmoid {
  Sample<float> operator()(float x) const {
    const Logistic s(x);
    return {s.value, s.derivative};
  }
};

struct Hardswish {
  Sample<float> operator()(float x) const {
    constexpr float kSixth = 1.0F / 6.0F;
    const float lifted = x + 3.0F;
    const float floored = select(lifted <= 0.0F, 0.0F, lifted);
    const float gate = select(lifted >= 6.0F, 6.0F, floored);
    const float slope = (2.0F * x + 3.0F) * kSixth;
    const float above = select(x >= 3.0F, 1.0F, slope);
    return {x * gate * kSixth, select(x <= -3.0F, 0.0F, above)};
  }
};

struct Elu {
  float alpha;
  Sample<float> operator()(float x) const {
    const bool positive = x > 0.0F;
    const Exponential e = exp_of_nonpositive(select(positive, 0.0F, x));
    return {select(positive, x, alpha * e.exp_minus_1), select(positive, 1.0F, alpha * e.exp)};
  }
};

template <class Saved, class Function>
class Forward final : public HostKernel {
 public:
  explicit Forward(Function function) : function_(function) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = ActivationForwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::X) / sizeof(float));
    const float* __restrict x = args.read<float>(Slots::X);
    float* __restrict y = args.write<float>(Slots::Y);
    const Function function = function_;
    if (args.size() <= Slots::saved) {
      for (std::int64_t i = 0; i < count; ++i)
        y[i] = function(x[i]).value;
      return;
    }
    Saved* __restrict saved = args.write<Saved>(Slots::saved);
    for (std::int64_t i = 0; i < count; ++i) {
      const Sample<Saved> sample = function(x[i]);
      y[i] = sample.value;
      saved[i] = sample.saved;
    }
  }

 private:
  Function function_;
};

template <class Saved, class Function>
std::unique_ptr<HostKernel> make_forward(Function function) {
  return std::make_unique<Forward<Saved, Function>>(function);
}

/// dX = dY where the mask is set, else `slope` * dY.
class MaskedBackward final : public HostKernel {
 public:
  explicit MaskedBackward(float slope) : slope_(slope) {}

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = ActivationBackwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::dX) / sizeof(float));
    const float* __restrict dy = args.read<float>(Slots::dY);
    const std::uint8_t* __restrict mask = args.read<std::uint8_t>(Slots::saved);
    float* __restrict dx = args.write<float>(Slots::dX);
    const float slope = slope_;
    for (std::int64_t i = 0; i < count; ++i)
      dx[i] = select(mask[i] != 0, dy[i], slope * dy[i]);
  }

 private:
  float slope_;
};

/// dX = dY * f'(X).
class DerivativeBackward final : public HostKernel {
 public:
  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    using Slots = ActivationBackwardSlots;
    const auto count = static_cast<std::int64_t>(args.bytes(Slots::dX) / sizeof(float));
    const float* __restrict dy = args.read<float>(Slots::dY);
    const float* __restrict derivative = args.read<float>(Slots::saved);
    float* __restrict dx = args.write<float>(Slots::dX);
    for (std::int64_t i = 0; i < count; ++i)
      dx[i] = dy[i] * derivative[i];
  }
};

float alpha_of(const Task& task) {
  return std::get<SlopeHyper>(task.attributes).alpha;
}

}  // namespace

std::unique_ptr<HostKernel> make_activation_forward_host(const Task& task,
                                                         const TensorTable& /*tensors*/) {
  const std::optional<Activation> activation = activation_of(task.kind);
  assert(activation);
  switch (*activation) {
    case Activation::RELU6:
      return make_forward<std::uint8_t>(Relu6{});
    case Activation::LEAKY_RELU:
      return make_forward<std::uint8_t>(LeakyRelu{alpha_of(task)});
    case Activation::TANH:
      return make_forward<float>(Tanh{});
    case Activation::SILU:
      return make_forward<float>(Silu{});
    case Activation::SIGMOID:
      return make_forward<float>(Sigmoid{});
    case Activation::HARDSWISH:
      return make_forward<float>(Hardswish{});
    case Activation::ELU:
      return make_forward<float>(Elu{alpha_of(task)});
  }
  return nullptr;
}

std::unique_ptr<HostKernel> make_activation_backward_host(const Task& task,
                                                          const TensorTable& /*tensors*/) {
  const std::optional<Activation> activation = activation_of(task.kind);
  assert(activation);
  if (saved_dtype_of(*activation) == DType::F32) return std::make_unique<DerivativeBackward>();
  const bool leaky = *activation == Activation::LEAKY_RELU;
  return std::make_unique<MaskedBackward>(leaky ? alpha_of(task) : 0.0F);
}

}  // namespace quintet
