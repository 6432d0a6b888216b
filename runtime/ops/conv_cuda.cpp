#include <cassert>

#include "runtime/cuda/conv_plan.h"
#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/ops/conv.h"
#include "runtime/ops/elementwise_pass.h"
#include "runtime/ops/fused_relu_cuda.h"
#include "runtime/ops/half_weights.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

constexpr std::uint64_t kAlignment = 256;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

CudnnConvProblem problem_of(ConvPass pass, const Task& task, const Tensor& x, const Shape& y) {
  return {.pass = pass,
          .dtype = x.dtype,
          .batch = x.shape.dim(0),
          .in_h = x.shape.dim(1),
          .in_w = x.shape.dim(2),
          .in_channels = x.shape.dim(3),
          .out_h = y.dim(1),
          .out_w = y.dim(2),
          .out_channels = y.dim(3),
          .window = std::get<Window>(task.attributes)};
}

const Tensor& tensor_of(const Task& task, const TensorTable& tensors, std::size_t slot) {
  return tensors[std::get<TensorId>(task.operands[slot].target)];
}

CudnnPlan planned(const CudnnConvProblem& problem, KernelPlanner& planner) {
  std::optional<CudnnPlan> plan = plan_convolution(problem, planner);
  if (!plan) throw CudaError("cuDNN has no deterministic engine for it");
  return std::move(*plan);
}

void* at(const TaskArgs& args, std::size_t slot) {
  return args.bound(slot).data;
}

/// The bias is added by cuDNN where it has an engine that does, else by a pass of ours. A fused ReLU
/// is a pass of ours, for its mask.
class ConvForward final : public CudaKernel {
 public:
  ConvForward(const CudnnConvProblem& problem, const Task& task, const TensorTable& tensors,
              KernelPlanner& planner)
      : problem_(problem),
        halves_(task, tensors, weight_slots(problem), problem.dtype),
        relu_(FusedRelu::of(task)),
        plan_(plan_of(problem, planner, bias_pass_)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return halves_.bytes() + plan_.workspace_bytes();
  }
  [[nodiscard]] std::string implementation() const override { return "cudnn " + plan_.pinned(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = ConvForwardSlots;
    halves_.launch(args, on.stream);
    std::vector<void*> pointers = {at(args, Slots::X), halves_.at(args, Slots::W),
                                   at(args, Slots::Y)};
    if (problem_.bias && !bias_pass_) pointers.push_back(halves_.at(args, Slots::B));
    plan_.run(on.cudnn, pointers, args.workspace().data() + halves_.bytes());
    const std::int64_t pixels = problem_.batch * problem_.out_h * problem_.out_w;
    if (bias_pass_) {
      launch_add_bias(problem_.dtype, at(args, Slots::Y), halves_.at(args, Slots::B), pixels,
                      problem_.out_channels, on.stream);
    }
    relu_.launch(problem_.dtype, at(args, Slots::Y), pixels * problem_.out_channels, args,
                 on.stream);
  }

 private:
  static std::vector<std::size_t> weight_slots(const CudnnConvProblem& problem) {
    if (problem.bias) return {ConvForwardSlots::W, ConvForwardSlots::B};
    return {ConvForwardSlots::W};
  }
  static CudnnPlan plan_of(CudnnConvProblem problem, KernelPlanner& planner, bool& bias_pass) {
    if (problem.bias) {
      if (std::optional<CudnnPlan> plan = plan_convolution(problem, planner))
        return std::move(*plan);
      bias_pass = true;
      problem.bias = false;
    }
    return planned(problem, planner);
  }

  CudnnConvProblem problem_;
  HalfWeights halves_;
  FusedRelu relu_;
  bool bias_pass_ = false;  ///< before plan_, which sets it
  CudnnPlan plan_;
};

class ConvInputGradient final : public CudaKernel {
 public:
  explicit ConvInputGradient(CudnnPlan plan) : plan_(std::move(plan)) {}
  [[nodiscard]] std::uint64_t workspace_bytes() const override { return plan_.workspace_bytes(); }
  [[nodiscard]] std::string implementation() const override { return "cudnn " + plan_.pinned(); }
  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = ConvInputGradientSlots;
    plan_.run(on.cudnn, {at(args, Slots::dY), at(args, Slots::W), at(args, Slots::dX)},
              args.workspace().data());
  }

 private:
  CudnnPlan plan_;
};

/// The images of one call. FP32 sums run over batch x pixels without a break inside the library, and
/// their error grows with the root of that: long ones are cut into calls whose results are added up.
std::int64_t images_per_call(const CudnnConvProblem& problem) {
  constexpr std::int64_t kLongestSum = 32768;
  if (problem.dtype != DType::F32) return problem.batch;
  std::int64_t images = problem.batch;
  while (images > 1 &&
         (problem.batch % images != 0 || images * problem.out_h * problem.out_w > kLongestSum))
    --images;
  return images;
}

/// cuDNN overwrites dW. What is to be added to dW lies in the workspace first, before the engine's
/// own.
class ConvWeightGradient final : public CudaKernel {
 public:
  ConvWeightGradient(const CudnnConvProblem& whole, std::int64_t elements, bool adds,
                     KernelPlanner& planner)
      : problem_(whole),
        calls_(whole.batch / images_per_call(whole)),
        plan_(planned(one_call(whole), planner)),
        elements_(elements),
        fresh_bytes_(adds || calls_ > 1
                         ? aligned(static_cast<std::uint64_t>(elements) * bytes_of(whole.dtype))
                         : 0) {}
  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return fresh_bytes_ + plan_.workspace_bytes();
  }
  [[nodiscard]] std::string implementation() const override { return "cudnn " + plan_.pinned(); }
  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = ConvWeightGradientSlots;
    assert(args.workspace().size() >= workspace_bytes());
    std::byte* const scratch = args.workspace().data();
    void* const dw = at(args, Slots::dW);
    for (std::int64_t call = 0; call < calls_; ++call) {
      const bool adds = call > 0 || args.adds(Slots::dW);
      void* const target = adds ? scratch : dw;
      plan_.run(on.cudnn, {part_of(args, Slots::X, call), part_of(args, Slots::dY, call), target},
                scratch + fresh_bytes_);
      if (adds) launch_add_into(problem_.dtype, dw, target, elements_, on.stream);
    }
  }

 private:
  static CudnnConvProblem one_call(CudnnConvProblem problem) {
    problem.batch = images_per_call(problem);
    return problem;
  }
  /// Where the images of a call begin.
  [[nodiscard]] std::byte* part_of(const TaskArgs& args, std::size_t slot,
                                   std::int64_t call) const {
    return args.bound(slot).data +
           args.bytes(slot) / static_cast<std::uint64_t>(calls_) * static_cast<std::uint64_t>(call);
  }

  CudnnConvProblem problem_;
  std::int64_t calls_;
  CudnnPlan plan_;
  std::int64_t elements_;
  std::uint64_t fresh_bytes_;
};

}  // namespace

std::unique_ptr<CudaKernel> make_conv_forward_cuda(const Task& task, const TensorTable& tensors,
                                                   KernelPlanner& planner) {
  using Slots = ConvForwardSlots;
  CudnnConvProblem problem = problem_of(ConvPass::forward, task, tensor_of(task, tensors, Slots::X),
                                        operand_shape(task, tensors, Slots::Y));
  problem.bias = FusedRelu::own_operands(task) > Slots::B;
  return std::make_unique<ConvForward>(problem, task, tensors, planner);
}

std::unique_ptr<CudaKernel> make_conv_weight_gradient_cuda(const Task& task,
                                                           const TensorTable& tensors,
                                                           KernelPlanner& planner) {
  using Slots = ConvWeightGradientSlots;
  const CudnnConvProblem problem =
      problem_of(ConvPass::weight_gradient, task, tensor_of(task, tensors, Slots::X),
                 operand_shape(task, tensors, Slots::dY));
  return std::make_unique<ConvWeightGradient>(problem,
                                              operand_shape(task, tensors, Slots::dW).elements(),
                                              adds_to(task, Slots::dW), planner);
}

std::unique_ptr<CudaKernel> make_conv_input_gradient_cuda(const Task& task,
                                                          const TensorTable& tensors,
                                                          KernelPlanner& planner) {
  using Slots = ConvInputGradientSlots;
  const CudnnConvProblem problem =
      problem_of(ConvPass::input_gradient, task, tensor_of(task, tensors, Slots::dX),
                 operand_shape(task, tensors, Slots::dY));
  return std::make_unique<ConvInputGradient>(planned(problem, planner));
}

}  // namespace quintet
