#include <array>
#include <cassert>
#include <utility>

#include "runtime/ops/bias_gradient.h"
#include "runtime/ops/conv.h"
#include "runtime/ops/onednn_kernel.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

constexpr std::uint64_t kWeightAlignment = 64;

const Shape& conv_shape(const Task& task, const TensorTable& tensors, std::size_t slot) {
  return tensors[std::get<TensorId>(task.operands[slot].target)].shape;
}

ConvProblem problem_of(const Task& task, const Shape& x, const Shape& y) {
  return {.batch = x.dim(0),
          .in_h = x.dim(1),
          .in_w = x.dim(2),
          .in_channels = x.dim(3),
          .out_h = y.dim(1),
          .out_w = y.dim(2),
          .out_channels = y.dim(3),
          .window = std::get<Window>(task.attributes)};
}

/// oneDNN overwrites dW. Where the task adds to it, the call's dW lies in the workspace, before its
/// scratch.
class ConvWeightGradient final : public HostKernel {
 public:
  ConvWeightGradient(OneDnnCall call, std::uint64_t weight_bytes, bool adds)
      : call_(std::move(call)),
        elements_(weight_bytes / sizeof(float)),
        padded_bytes_(adds ? (weight_bytes + kWeightAlignment - 1) / kWeightAlignment *
                                 kWeightAlignment
                           : 0) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return padded_bytes_ + call_.scratch_bytes();
  }
  [[nodiscard]] std::string implementation() const override { return call_.implementation(); }

  void run(const TaskArgs& args, const RunContext& /*context*/) override {
    assert(args.workspace().size() >= workspace_bytes());
    using Slots = ConvWeightGradientSlots;
    auto* const dw = args.write<float>(Slots::dW);
    const bool adds = args.adds(Slots::dW);
    float* const fresh = adds ? reinterpret_cast<float*>(args.workspace().data()) : dw;
    const std::array inputs = {args.read<float>(Slots::X), args.read<float>(Slots::dY)};
    call_.run(inputs, fresh, args.workspace().data() + padded_bytes_);
    if (!adds) return;
    for (std::uint64_t i = 0; i < elements_; ++i)
      dw[i] += fresh[i];
  }

 private:
  OneDnnCall call_;
  std::uint64_t elements_;
  std::uint64_t padded_bytes_;
};

}  // namespace

std::unique_ptr<HostKernel> make_conv_forward_host(const Task& task, const TensorTable& tensors) {
  using Slots = ConvForwardSlots;
  ConvProblem problem =
      problem_of(task, conv_shape(task, tensors, Slots::X), conv_shape(task, tensors, Slots::Y));
  std::vector<std::size_t> inputs = {Slots::X, Slots::W};
  problem.bias = task.operands.size() > Slots::B;
  if (problem.bias) inputs.push_back(Slots::B);
  return std::make_unique<OneDnnKernel>(OneDnnCall::conv_forward(problem), std::move(inputs),
                                        Slots::Y);
}

std::unique_ptr<HostKernel> make_conv_weight_gradient_host(const Task& task,
                                                           const TensorTable& tensors) {
  using Slots = ConvWeightGradientSlots;
  const ConvProblem problem =
      problem_of(task, conv_shape(task, tensors, Slots::X), conv_shape(task, tensors, Slots::dY));
  const auto elements = static_cast<std::uint64_t>(conv_shape(task, tensors, Slots::dW).elements());
  return std::make_unique<ConvWeightGradient>(OneDnnCall::conv_weight_gradient(problem),
                                              elements * sizeof(float), adds_to(task, Slots::dW));
}

std::unique_ptr<HostKernel> make_conv_bias_gradient_host(const Task& task,
                                                         const TensorTable& tensors) {
  const Shape& dy = conv_shape(task, tensors, ConvBiasGradientSlots::dY);
  return std::make_unique<BiasGradientKernel>(dy.elements() / dy.dim(-1), dy.dim(-1));
}

std::unique_ptr<HostKernel> make_conv_input_gradient_host(const Task& task,
                                                          const TensorTable& tensors) {
  using Slots = ConvInputGradientSlots;
  const ConvProblem problem =
      problem_of(task, conv_shape(task, tensors, Slots::dX), conv_shape(task, tensors, Slots::dY));
  return std::make_unique<OneDnnKernel>(OneDnnCall::conv_input_gradient(problem),
                                        std::vector<std::size_t>{Slots::dY, Slots::W}, Slots::dX);
}

}  // namespace quintet
