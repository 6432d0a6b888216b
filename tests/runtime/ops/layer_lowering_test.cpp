// How activations, normalisation, average-pooling, residual addition and dropout become tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/ops/activation.h"
#include "runtime/ops/avgpool.h"
#include "runtime/ops/batch_norm.h"
#include "runtime/ops/dropout.h"
#include "runtime/ops/gap.h"
#include "runtime/ops/op_catalog.h"
#include "runtime/ops/philox.h"
#include "runtime/policy/memory_planner.h"
#include "tests/runtime/ops/op_cases.h"

namespace quintet {

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class T>
std::string lowering_message(const Result<T>& result) {
  return result ? std::string("no error") : to_string(result.error());
}

/// Ops over tensors added one by one.
struct Sketch {
  TensorTable tensors;

  TensorId add(const Shape& shape, DType dtype = DType::F32) {
    Tensor tensor;
    tensor.shape = shape;
    tensor.dtype = dtype;
    return tensors.add(tensor);
  }
  [[nodiscard]] std::vector<Task> lower_as(OpKind kind, std::vector<TensorId> inputs,
                                           std::vector<TensorId> outputs,
                                           OpAttributes attributes = {}) const {
    Op op;
    op.kind = kind;
    op.layer = "layer";
    op.inputs = std::move(inputs);
    op.outputs = std::move(outputs);
    op.attributes = attributes;
    return *lower(std::vector<Op>{op}, tensors, Lowering::article);
  }
};

TEST(BatchNormLowering, CoversItsThreeGradientsWithOneTask) {
  Sketch sketch;
  const TensorId x = sketch.add(Shape{8, 5, 5, 16});
  const TensorId c = sketch.add(Shape{16});
  const std::vector<Task> tasks =
      sketch.lower_as(ComputeOp::BN2D_FP32_BWD, {x, x, c, c, c}, {c, c, x});
  ASSERT_EQ(tasks.size(), 1);
  EXPECT_EQ(tasks[0].name, "layer/BN2D_FP32_BWD/dX");
  EXPECT_EQ(tasks[0].part, TaskPart::dX);
  EXPECT_TRUE(tasks[0].representative);
  EXPECT_THAT(tasks[0].covers, ElementsAre("layer/BN2D_FP32_BWD/dX", "layer/BN2D_FP32_BWD/dW",
                                           "layer/BN2D_FP32_BWD/dB"));
  using Slots = BatchNormBackwardSlots;
  EXPECT_EQ(tasks[0].operands[Slots::dgamma].mode, AccessMode::update);
  EXPECT_EQ(tasks[0].operands[Slots::dbeta].mode, AccessMode::update);
  EXPECT_EQ(tasks[0].operands[Slots::dX].mode, AccessMode::write);
}

TEST(BatchNormLowering, CountsFlopsAndBytes) {
  Sketch sketch;
  const TensorId x = sketch.add(Shape{8, 5, 5, 16});
  const TensorId y = sketch.add(Shape{8, 5, 5, 16});
  const TensorId c = sketch.add(Shape{16});
  const TensorId stats = sketch.add(Shape{2, 16});
  const Task forward =
      sketch.lower_as(ComputeOp::BN2D_FP32_FWD, {x, c, c}, {y, c, c, stats}, BatchNormHyper{})[0];
  EXPECT_EQ(forward.flops, 7.0 * 3200);
  EXPECT_EQ(forward.bytes, 4.0 * (2 * 3200 + 4 * 16 + 32));
  const Task backward = sketch.lower_as(ComputeOp::BN2D_FP32_BWD, {y, x, c, c, c}, {c, c, x})[0];
  EXPECT_EQ(backward.flops, 9.0 * 3200);
  EXPECT_EQ(backward.bytes, 4.0 * (3 * 3200 + 3 * 16 + 2 * 2 * 16));
  const Task inference = sketch.lower_as(ComputeOp::BN2D_FP32_INF, {x, stats}, {y})[0];
  EXPECT_EQ(inference.flops, 2.0 * 3200);
  EXPECT_EQ(inference.bytes, 4.0 * (2 * 3200 + 32));
}

TEST(BatchNormShape, TakesRankTwoAndFour) {
  EXPECT_TRUE(batch_norm_output_shape(Shape{8, 5}));
  EXPECT_TRUE(batch_norm_output_shape(Shape{8, 5, 5, 3}));
  EXPECT_THAT(lowering_message(batch_norm_output_shape(Shape{8, 5, 3})), HasSubstr("got 8x5x3"));
}

TEST(ActivationLowering, SavesAMaskWhereThatIsEnough) {
  EXPECT_EQ(saved_dtype_of(Activation::RELU6), DType::U8);
  EXPECT_EQ(saved_dtype_of(Activation::LEAKY_RELU), DType::U8);
  EXPECT_EQ(saved_dtype_of(Activation::SILU), DType::F32);
}

TEST(ActivationLowering, NamesTheFunctionOfEachKind) {
  EXPECT_EQ(activation_of(ComputeOp::ELU_FP32_BWD), Activation::ELU);
  EXPECT_EQ(activation_of(ComputeOp::TANH_AMP_FWD), Activation::TANH);
  EXPECT_EQ(activation_of(ComputeOp::RELU_FP32_FWD), std::nullopt);
}

TEST(ActivationLowering, CountsWhatBackwardSavesOnlyWhereItIsSaved) {
  Sketch sketch;
  const TensorId x = sketch.add(Shape{10, 10});
  const TensorId y = sketch.add(Shape{10, 10});
  const TensorId saved = sketch.add(Shape{10, 10});
  const Task training = sketch.lower_as(ComputeOp::TANH_FP32_FWD, {x}, {y, saved})[0];
  const Task inference = sketch.lower_as(ComputeOp::TANH_FP32_FWD, {x}, {y})[0];
  EXPECT_EQ(training.bytes, 1200);
  EXPECT_EQ(inference.bytes, 800);
  EXPECT_GT(training.flops, inference.flops);
}

/// One forward and backward: whether dX may take X's bytes and dY those of Y.
std::vector<bool> in_place_of(ComputeOp forward, ComputeOp backward, DType saved_dtype,
                              OpAttributes attributes) {
  TensorTable tensors;
  const auto add = [&](TensorRole role, DType dtype = DType::F32) {
    Tensor tensor;
    tensor.shape = Shape{4, 4};
    tensor.role = role;
    tensor.dtype = dtype;
    return tensors.add(tensor);
  };
  const auto add_gradient = [&](TensorId of) {
    Tensor tensor;
    tensor.shape = Shape{4, 4};
    tensor.role = TensorRole::activation_gradient;
    tensor.gradient_of = of;
    return tensors.add(tensor);
  };
  const TensorId x = add(TensorRole::activation);
  const TensorId y = add(TensorRole::activation);
  const TensorId saved = add(TensorRole::saved, saved_dtype);
  const TensorId dy = add_gradient(y);
  const TensorId dx = add_gradient(x);
  Op loss;  // whatever reads Y last and writes dY
  loss.kind = ComputeOp::ADD_FP32_BWD;
  loss.layer = "loss";
  loss.inputs = {saved_dtype == DType::F32 ? saved : x, saved_dtype == DType::F32 ? saved : x};
  loss.outputs = {dy};
  Op fwd;
  fwd.kind = forward;
  fwd.layer = "act";
  fwd.inputs = {x};
  fwd.outputs = {y, saved};
  fwd.attributes = attributes;
  Op bwd = fwd;
  bwd.kind = backward;
  bwd.inputs = {dy, saved};
  bwd.outputs = {dx};
  const auto tasks = lower(std::vector<Op>{fwd, loss, bwd}, tensors, Lowering::article);
  const MemoryPlan plan = plan_memory(tensors, *tasks, GradientMode::in_place, {});
  std::vector<bool> in_place;
  for (const GradientPlacement& placement : plan.gradient_placements())
    in_place.push_back(placement.in_place);
  return in_place;
}

TEST(ActivationLowering, LeavesTheBytesOfXAndYToTheirGradients) {
  for (const auto& [forward, backward] :
       {std::pair{ComputeOp::RELU6_FP32_FWD, ComputeOp::RELU6_FP32_BWD},
        {ComputeOp::LEAKY_RELU_FP32_FWD, ComputeOp::LEAKY_RELU_FP32_BWD},
        {ComputeOp::TANH_FP32_FWD, ComputeOp::TANH_FP32_BWD},
        {ComputeOp::SILU_FP32_FWD, ComputeOp::SILU_FP32_BWD},
        {ComputeOp::SIGMOID_FP32_FWD, ComputeOp::SIGMOID_FP32_BWD},
        {ComputeOp::HARDSWISH_FP32_FWD, ComputeOp::HARDSWISH_FP32_BWD},
        {ComputeOp::ELU_FP32_FWD, ComputeOp::ELU_FP32_BWD}}) {
    EXPECT_THAT(
        in_place_of(forward, backward, saved_dtype_of(*activation_of(forward)), SlopeHyper{}),
        ElementsAre(true, true))
        << name_of(forward);
  }
}

TEST(AvgpoolShape, FollowsTheWindowAndRefusesPaddingThatFillsOne) {
  EXPECT_EQ(*avgpool_output_shape(Shape{2, 7, 6, 3}, Window{3, 3, 2, 2, 1, 1}),
            (Shape{2, 4, 3, 3}));
  EXPECT_THAT(lowering_message(avgpool_output_shape(Shape{2, 7, 6, 3}, Window{2, 2, 1, 1, 2, 0})),
              AllOf(HasSubstr("average-pooling has padding 2x0"), HasSubstr("kernel of 2x2")));
  EXPECT_THAT(lowering_message(avgpool_output_shape(Shape{2, 7}, Window{})), HasSubstr("rank 4"));
  EXPECT_TRUE(avgpool_output_shape(Shape{1, 32, 32, 1}, Window{32, 32, 1, 1, 0, 0}));
}

TEST(GapShape, DropsHeightAndWidth) {
  EXPECT_EQ(*gap_output_shape(Shape{2, 7, 6, 3}), (Shape{2, 3}));
  EXPECT_THAT(lowering_message(gap_output_shape(Shape{2, 7})), HasSubstr("got 2x7"));
}

TEST(PoolLowering, CountsFlopsAndBytes) {
  Sketch sketch;
  const TensorId x = sketch.add(Shape{2, 8, 8, 4});
  const TensorId y = sketch.add(Shape{2, 4, 4, 4});
  const TensorId means = sketch.add(Shape{2, 4});
  const Window window{2, 2, 2, 2, 0, 0};
  const Task forward = sketch.lower_as(ComputeOp::AVGPOOL_FP32_FWD, {x}, {y}, window)[0];
  EXPECT_EQ(forward.flops, 4.0 * 128);
  EXPECT_EQ(forward.bytes, 4.0 * (512 + 128));
  const Task backward = sketch.lower_as(ComputeOp::AVGPOOL_FP32_BWD, {y}, {x}, window)[0];
  EXPECT_EQ(backward.flops, 5.0 * 128);
  EXPECT_EQ(backward.part, TaskPart::dX);
  const Task global = sketch.lower_as(ComputeOp::GAP_FP32_FWD, {x}, {means})[0];
  EXPECT_EQ(global.flops, 512);
  EXPECT_EQ(global.bytes, 4.0 * (512 + 8));
}

TEST(AddLowering, IsOneAdditionAnElement) {
  Sketch sketch;
  const TensorId a = sketch.add(Shape{3, 5});
  const TensorId b = sketch.add(Shape{3, 5});
  const TensorId sum = sketch.add(Shape{3, 5});
  const Task forward = sketch.lower_as(ComputeOp::ADD_FP32_FWD, {a, b}, {sum})[0];
  EXPECT_EQ(forward.part, TaskPart::Y);
  EXPECT_EQ(forward.flops, 15);
  EXPECT_EQ(forward.bytes, 3 * 60);
  EXPECT_EQ(sketch.lower_as(ComputeOp::ADD_FP32_BWD, {a, b}, {sum})[0].part, TaskPart::dX);
}

TEST(SoftmaxCeLowering, CountsTheSumThatSmoothingAdds) {
  Sketch sketch;
  const TensorId z = sketch.add(Shape{4, 10});
  const TensorId labels = sketch.add(Shape{4}, DType::I32);
  const TensorId p = sketch.add(Shape{4, 10});
  const TensorId losses = sketch.add(Shape{4});
  const auto flops = [&](OpAttributes attributes) {
    return sketch.lower_as(ComputeOp::SOFTMAX_CE_FP32_FWD, {z, labels}, {p, losses}, attributes)[0]
        .flops;
  };
  EXPECT_EQ(flops(LossHyper{0.1F}) - flops({}), 40);
  EXPECT_EQ(flops(LossHyper{0}), flops({}));
}

TEST(Dropout, TurnsTheProbabilityIntoAThresholdAndAScale) {
  EXPECT_EQ(dropout_threshold({0.0F, 0}), 0U);
  EXPECT_EQ(dropout_threshold({0.5F, 0}), 0x80000000U);
  EXPECT_EQ(dropout_scale({0.5F, 0}), 2.0F);
  EXPECT_EQ(dropout_scale({0.75F, 0}), 4.0F);
}

TEST(Philox, GivesTheKnownAnswersOfItsAuthors) {
  EXPECT_EQ(philox_4x32_10({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(
      philox_4x32_10({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
      (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(
      philox_4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
      (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

}  // namespace

}  // namespace quintet
