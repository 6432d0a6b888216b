// Fully connected layers on the GPU in the shapes that have kernels of their own: few outputs, and
// products small enough for one launch.
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

#include "runtime/ops/fc.h"
#include "tests/runtime/ops/amp_cases.h"
#include "tests/runtime/ops/case_parts.h"
#include "tests/runtime/ops/cuda_duel.h"
#include "tests/runtime/ops/fused_case.h"
#include "tests/support/access_audit.h"

namespace quintet {

namespace {

using ::testing::IsEmpty;

struct FcSize {
  std::int64_t samples, inputs, outputs;
};

/// Whole tiles and parts of them, less than a step of the inner dimension, its limit and beyond it,
/// few outputs, and rows of no whole vectors.
constexpr std::array kSizes = {FcSize{128, 784, 512}, FcSize{128, 512, 512}, FcSize{128, 512, 10},
                               FcSize{6, 48, 32},     FcSize{17, 40, 56},    FcSize{1, 8, 8},
                               FcSize{33, 1024, 264}, FcSize{5, 1032, 16},   FcSize{16, 24, 1000},
                               FcSize{300, 16, 24},   FcSize{7, 20, 12},     FcSize{19, 72, 10},
                               FcSize{35, 30, 3}};

OpCase fc_case(OpKind kind, const FcSize& size, bool bias) {
  OpCase made;
  made.op.kind = kind;
  made.op.layer = "layer";
  const Shape x{size.samples, size.inputs};
  const Shape y{size.samples, size.outputs};
  const Shape w = fc_weight_shape(x, size.outputs);
  const auto weights = [&](const char* name, const Shape& shape, RegionKind region) {
    return add(made, name, shape, DType::F32, region);
  };
  if (kind == OpKind(ComputeOp::FC_FP32_FWD)) {
    made.op.inputs = {add(made, "X", x), weights("W", w, RegionKind::DEEP_WEIGHTS)};
    if (bias) made.op.inputs.push_back(weights("B", Shape{size.outputs}, RegionKind::DEEP_WEIGHTS));
    made.op.outputs = {add(made, "Y", y)};
  } else {
    made.op.inputs = {add(made, "dY", y), add(made, "X", x),
                      weights("W", w, RegionKind::DEEP_WEIGHTS)};
    made.op.outputs = {weights("dW", w, RegionKind::DEEP_GRADIENTS), add(made, "dX", x)};
  }
  return made;
}

enum class After { nothing, relu, relu_with_mask };

FusedCase forward_case(DType dtype, const FcSize& size, bool bias, After after) {
  const bool amp = dtype == DType::F16;
  OpCase made = fc_case(ComputeOp::FC_FP32_FWD, size, bias);
  if (amp) made = in_amp(made, ComputeOp::FC_AMP_FWD);
  if (after == After::nothing) return {made, {made.op}};
  return with_relu(std::move(made), amp ? ComputeOp::RELU_AMP_FWD : ComputeOp::RELU_FP32_FWD,
                   after == After::relu_with_mask);
}

FusedCase backward_case(DType dtype, const FcSize& size, After after) {
  OpCase made = fc_case(ComputeOp::FC_FP32_BWD, size, false);
  if (dtype == DType::F16) made = in_amp(made, ComputeOp::FC_AMP_BWD);
  if (after == After::nothing) return {made, {made.op}};
  return with_relu_backward(std::move(made));
}

class CudaFc : public CudaOpTest, public ::testing::WithParamInterface<DType> {
 protected:
  /// Of the mask that a ReLU writes the elements are Y's own; all else agrees with the host.
  static void duel_and_audit(const FusedCase& both, TestRandom& random) {
    CudaDuel duel({both.made, both.ops, Lowering::fused}, device(), random);
    const bool writes_mask = both.ops.size() > 1 && both.ops[1].outputs.size() > 1;
    const Task& last = duel.cuda().tasks.back();
    duel.expect_agreement(writes_mask ? last.fused_with->first_operand
                                      : std::numeric_limits<std::size_t>::max());
    if (writes_mask) expect_mask_of_y(duel.cuda(), both);
    duel.expect_same_bits_again();
    const auto planned = plan_cuda_ops(both.made, both.ops, Lowering::fused, device());
    const std::size_t index = planned->tasks.size() - 1;
    const ArenaRun run = [&](TaskArena& arena) { planned->run_task(index, arena); };
    EXPECT_THAT(audit_accesses(planned->tasks[index], PlannedCudaOp::kStream,
                               planned->op_case.tensors, planned->memory, run, random.engine()()),
                IsEmpty())
        << text_of(both.made);
  }

 private:
  static void expect_mask_of_y(PlannedCudaOp& planned, const FusedCase& both) {
    const std::vector<double> y = planned.arena->values(both.ops[1].outputs[0]);
    const std::vector<double> mask = planned.arena->values(both.ops[1].outputs[1]);
    for (std::size_t i = 0; i < y.size(); ++i)
      ASSERT_EQ(mask[i], y[i] > 0 ? 1.0 : 0.0) << "element " << i << " in " << text_of(both.made);
  }
};

TEST_P(CudaFc, AgreesWithTheHostForwardWithAndWithoutItsBiasAndRelu) {
  TestRandom random(81);
  for (const FcSize& size : kSizes) {
    for (const After after : {After::nothing, After::relu, After::relu_with_mask}) {
      for (const bool bias : {true, false})
        duel_and_audit(forward_case(GetParam(), size, bias, after), random);
    }
  }
}

TEST_P(CudaFc, AgreesWithTheHostBackwardWithAndWithoutTheReluBeforeIt) {
  TestRandom random(82);
  for (const FcSize& size : kSizes) {
    for (const After after : {After::nothing, After::relu})
      duel_and_audit(backward_case(GetParam(), size, after), random);
  }
}

/// The bytes of the last op's outputs on the GPU.
std::vector<std::byte> bits_of(const FusedCase& both, Lowering lowering, CudaTestDevice& device,
                               std::uint64_t seed) {
  TestRandom random(seed);
  CudaDuel duel({both.made, both.ops, Lowering::fused}, device, random);
  if (lowering == Lowering::fused) {
    const auto bytes = duel.cuda().arena->bytes_of(both.ops.back().outputs[0]);
    return {bytes.begin(), bytes.end()};
  }
  const auto planned = plan_cuda_ops(both.made, both.ops, Lowering::article, device);
  for (const Op& op : both.ops) {
    for (const TensorId input : op.inputs)
      planned->arena->set(input, duel.cuda().arena->values(input));
  }
  planned->run();
  const auto bytes = planned->arena->bytes_of(both.ops.back().outputs[0]);
  return {bytes.begin(), bytes.end()};
}

TEST_P(CudaFc, GivesTheSameBitsUnderBothLowerings) {
  for (const FcSize& size : kSizes) {
    for (const FusedCase& both : {forward_case(GetParam(), size, true, After::relu_with_mask),
                                  forward_case(GetParam(), size, true, After::relu),
                                  backward_case(GetParam(), size, After::relu)}) {
      EXPECT_TRUE(bits_of(both, Lowering::fused, device(), 83) ==
                  bits_of(both, Lowering::article, device(), 83))
          << text_of(both.made);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, CudaFc, ::testing::Values(DType::F32, DType::F16),
                         [](const auto& tested) { return std::string(name_of(tested.param)); });

}  // namespace

}  // namespace quintet
