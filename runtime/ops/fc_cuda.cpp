#include "runtime/cuda/cuda_error.h"
#include "runtime/cuda/cuda_kernel.h"
#include "runtime/cuda/matmul_plan.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/fused_relu_cuda.h"
#include "runtime/ops/half_weights.h"
#include "runtime/ops/narrow_fc.h"
#include "runtime/ops/small_product.h"
#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

/// Which operands of the task are A, B, C and the bias of the product.
struct ProductSlots {
  std::size_t a, b, c;
  std::optional<std::size_t> bias;
};

/// What follows the product; one of the two at most does something.
struct Relus {
  FusedRelu forward;
  FusedReluBackward backward;
};

/// The library's product, then a pass for what it cannot do.
class FcKernel final : public CudaKernel {
 public:
  FcKernel(const CudaMatmulProblem& problem, ProductSlots slots, Relus relus, HalfWeights halves,
           KernelPlanner& planner)
      : problem_(problem),
        plan_(problem, planner),
        slots_(slots),
        relus_(relus),
        halves_(std::move(halves)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override {
    return halves_.bytes() + plan_.workspace_bytes();
  }
  [[nodiscard]] std::string implementation() const override { return "cublaslt " + plan_.pinned(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    std::byte* const c = args.bound(slots_.c).data;
    const std::int64_t elements = problem_.rows * problem_.columns;
    halves_.launch(args, on.stream);
    plan_.run(on.cublas, on.stream, halves_.at(args, slots_.a), halves_.at(args, slots_.b), c,
              slots_.bias ? halves_.at(args, *slots_.bias) : nullptr,
              args.workspace().data() + halves_.bytes());
    relus_.forward.launch(problem_.dtype, c, elements, args, on.stream);
    relus_.backward.launch(problem_.dtype, c, elements, args, on.stream);
  }

 private:
  CudaMatmulProblem problem_;
  MatmulPlan plan_;
  ProductSlots slots_;
  Relus relus_;
  HalfWeights halves_;
};

/// Forward or input gradient of halves, small enough for one launch with all that follows it.
class SmallFcKernel final : public CudaKernel {
 public:
  SmallFcKernel(const SmallProduct& product, ProductSlots slots, Relus relus, HalfWeights halves)
      : product_(product), slots_(slots), relus_(relus), halves_(std::move(halves)) {
    product_.prepare();
  }

  [[nodiscard]] std::uint64_t workspace_bytes() const override { return halves_.bytes(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    ProductEnd end;
    if (slots_.bias) end.bias = halves_.at(args, *slots_.bias);
    end.relu = relus_.forward.fused();
    end.passed = relus_.forward.mask(args);
    end.blocks = relus_.backward.mask(args);
    halves_.launch(args, on.stream);
    product_.launch(halves_.at(args, slots_.a), halves_.at(args, slots_.b),
                    args.bound(slots_.c).data, end, on.stream);
  }

 private:
  SmallProduct product_;
  ProductSlots slots_;
  Relus relus_;
  HalfWeights halves_;
};

/// Forward with few outputs.
class NarrowFcKernel final : public CudaKernel {
 public:
  NarrowFcKernel(const NarrowFc& product, bool bias, FusedRelu relu, HalfWeights halves)
      : product_(product), bias_(bias), relu_(relu), halves_(std::move(halves)) {}

  [[nodiscard]] std::uint64_t workspace_bytes() const override { return halves_.bytes(); }

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = FcForwardSlots;
    std::byte* const y = args.bound(Slots::Y).data;
    halves_.launch(args, on.stream);
    product_.launch(args.bound(Slots::X).data, halves_.at(args, Slots::W),
                    bias_ ? halves_.at(args, Slots::B) : nullptr, y, on.stream);
    relu_.launch(DType::F16, y, product_.samples * product_.outputs, args, on.stream);
  }

 private:
  NarrowFc product_;
  bool bias_;
  FusedRelu relu_;
  HalfWeights halves_;
};

/// Input gradient where the outputs are few.
class NarrowFcGradientKernel final : public CudaKernel {
 public:
  NarrowFcGradientKernel(const NarrowFc& product, FusedReluBackward relu)
      : product_(product), relu_(relu) {}

  void launch(const TaskArgs& args, const StreamResources& on) override {
    using Slots = FcInputGradientSlots;
    product_.launch_input_gradient(args.bound(Slots::dY).data, args.bound(Slots::W).data,
                                   relu_.mask(args), args.bound(Slots::dX).data, on.stream);
  }

 private:
  NarrowFc product_;
  FusedReluBackward relu_;
};

/// N, I and O of a task from its X (or dX) and Y (or dY).
struct Sizes {
  std::int64_t n, i, o;
};

Sizes sizes_of(const Shape& x, const Shape& y) {
  return {x.dim(0), x.elements() / x.dim(0), y.dim(-1)};
}

DType dtype_of(const Task& task, const TensorTable& tensors, std::size_t slot) {
  return tensors[std::get<TensorId>(task.operands[slot].target)].dtype;
}

}  // namespace

std::unique_ptr<CudaKernel> make_fc_forward_cuda(const Task& task, const TensorTable& tensors,
                                                 KernelPlanner& planner) {
  using Slots = FcForwardSlots;
  const Sizes s =
      sizes_of(operand_shape(task, tensors, Slots::X), operand_shape(task, tensors, Slots::Y));
  ProductSlots slots{Slots::X, Slots::W, Slots::Y, std::nullopt};
  std::vector<std::size_t> weights = {Slots::W};
  if (FusedRelu::own_operands(task) > Slots::B) {
    slots.bias = Slots::B;
    weights.push_back(Slots::B);
  }
  const HalfWeights halves(task, tensors, weights, dtype_of(task, tensors, Slots::X));
  const DType dtype = dtype_of(task, tensors, Slots::X);
  if (const NarrowFc narrow{s.n, s.i, s.o}; dtype == DType::F16 && narrow.fits()) {
    return std::make_unique<NarrowFcKernel>(narrow, slots.bias.has_value(), FusedRelu::of(task),
                                            halves);
  }
  const Relus relus{FusedRelu::of(task), {}};
  if (const SmallProduct small{s.n, s.i, s.o}; dtype == DType::F16 && small.fits())
    return std::make_unique<SmallFcKernel>(small, slots, relus, halves);
  return std::make_unique<FcKernel>(CudaMatmulProblem{.dtype = dtype,
                                                      .rows = s.n,
                                                      .inner = s.i,
                                                      .columns = s.o,
                                                      .bias = slots.bias.has_value()},
                                    slots, relus, halves, planner);
}

std::unique_ptr<CudaKernel> make_fc_weight_gradient_cuda(const Task& task,
                                                         const TensorTable& tensors,
                                                         KernelPlanner& planner) {
  using Slots = FcWeightGradientSlots;
  const Sizes s =
      sizes_of(operand_shape(task, tensors, Slots::X), operand_shape(task, tensors, Slots::dY));
  return std::make_unique<FcKernel>(CudaMatmulProblem{.dtype = dtype_of(task, tensors, Slots::X),
                                                      .rows = s.i,
                                                      .inner = s.n,
                                                      .columns = s.o,
                                                      .transposed_a = true,
                                                      .accumulate = adds_to(task, Slots::dW)},
                                    ProductSlots{Slots::X, Slots::dY, Slots::dW, std::nullopt},
                                    Relus{}, HalfWeights{}, planner);
}

std::unique_ptr<CudaKernel> make_fc_input_gradient_cuda(const Task& task,
                                                        const TensorTable& tensors,
                                                        KernelPlanner& planner) {
  using Slots = FcInputGradientSlots;
  const Sizes s =
      sizes_of(operand_shape(task, tensors, Slots::dX), operand_shape(task, tensors, Slots::dY));
  const DType dtype = dtype_of(task, tensors, Slots::dY);
  const ProductSlots slots{Slots::dY, Slots::W, Slots::dX, std::nullopt};
  const Relus relus{{}, FusedReluBackward::of(task)};
  if (const NarrowFc narrow{s.n, s.i, s.o}; dtype == DType::F16 && narrow.gradient_fits())
    return std::make_unique<NarrowFcGradientKernel>(narrow, relus.backward);
  if (const SmallProduct small{s.n, s.o, s.i, true}; dtype == DType::F16 && small.fits())
    return std::make_unique<SmallFcKernel>(small, slots, relus, HalfWeights{});
  return std::make_unique<FcKernel>(
      CudaMatmulProblem{
          .dtype = dtype, .rows = s.n, .inner = s.o, .columns = s.i, .transposed_b = true},
      slots, relus, HalfWeights{}, planner);
}

}  // namespace quintet
