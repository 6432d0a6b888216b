#include <utility>

#include "runtime/ops/bias_gradient.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/onednn_kernel.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// N, I and O of a task from the shapes of its X (or dX) and Y (or dY).
struct Sizes {
  std::int64_t n, i, o;
};

const Shape& fc_shape(const Task& task, const TensorTable& tensors, std::size_t slot) {
  return tensors[std::get<TensorId>(task.operands[slot].target)].shape;
}

Sizes sizes_of(const Shape& x, const Shape& y) {
  return {x.dim(0), x.elements() / x.dim(0), y.dim(-1)};
}

}  // namespace

std::unique_ptr<HostKernel> make_fc_forward_host(const Task& task, const TensorTable& tensors) {
  using Slots = FcForwardSlots;
  const Sizes s = sizes_of(fc_shape(task, tensors, Slots::X), fc_shape(task, tensors, Slots::Y));
  const bool bias = task.operands.size() > Slots::B;
  std::vector<std::size_t> inputs = {Slots::X, Slots::W};
  if (bias) inputs.push_back(Slots::B);
  return std::make_unique<OneDnnKernel>(
      OneDnnCall::matmul({.rows = s.n, .inner = s.i, .columns = s.o, .bias = bias}),
      std::move(inputs), Slots::Y);
}

std::unique_ptr<HostKernel> make_fc_weight_gradient_host(const Task& task,
                                                         const TensorTable& tensors) {
  using Slots = FcWeightGradientSlots;
  const Sizes s = sizes_of(fc_shape(task, tensors, Slots::X), fc_shape(task, tensors, Slots::dY));
  return std::make_unique<OneDnnKernel>(
      OneDnnCall::matmul({.rows = s.i,
                          .inner = s.n,
                          .columns = s.o,
                          .transposed_a = true,
                          .accumulate = adds_to(task, Slots::dW)}),
      std::vector<std::size_t>{Slots::X, Slots::dY}, Slots::dW);
}

std::unique_ptr<HostKernel> make_fc_bias_gradient_host(const Task& task,
                                                       const TensorTable& tensors) {
  const Shape& dy = fc_shape(task, tensors, FcBiasGradientSlots::dY);
  return std::make_unique<BiasGradientKernel>(dy.dim(0), dy.dim(-1));
}

std::unique_ptr<HostKernel> make_fc_input_gradient_host(const Task& task,
                                                        const TensorTable& tensors) {
  using Slots = FcInputGradientSlots;
  const Sizes s = sizes_of(fc_shape(task, tensors, Slots::dX), fc_shape(task, tensors, Slots::dY));
  return std::make_unique<OneDnnKernel>(
      OneDnnCall::matmul({.rows = s.n, .inner = s.o, .columns = s.i, .transposed_b = true}),
      std::vector<std::size_t>{Slots::dY, Slots::W}, Slots::dX);
}

}  // namespace quintet
