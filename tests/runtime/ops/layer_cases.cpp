#include "runtime/ops/activation.h"
#include "runtime/ops/avgpool.h"
#include "runtime/ops/gap.h"
#include "tests/runtime/ops/case_parts.h"

namespace quintet {

namespace {

template <Activation activation>
void add_slope(OpCase& made, TestRandom& random) {
  if (activation == Activation::LEAKY_RELU || activation == Activation::ELU)
    made.op.attributes = SlopeHyper{static_cast<float>(random.real(0.01, 1.5))};
}

template <Activation activation>
OpCase activation_fwd(TestRandom& random) {
  OpCase made;
  const Shape shape = random_images(random);
  made.op.inputs = {add(made, "X", shape)};
  made.op.outputs = {add(made, "Y", shape)};
  if (random.integer(0, 2) > 0)
    made.op.outputs.push_back(add(made, "saved", shape, saved_dtype_of(activation)));
  add_slope<activation>(made, random);
  return made;
}

template <Activation activation>
OpCase activation_bwd(TestRandom& random) {
  OpCase made;
  const Shape shape = random_images(random);
  made.op.inputs = {add(made, "dY", shape), add(made, "saved", shape, saved_dtype_of(activation))};
  made.op.outputs = {add(made, "dX", shape)};
  add_slope<activation>(made, random);
  return made;
}

/// Few rows and one, few channels and more than fill a vector.
Shape random_features(TestRandom& random) {
  return Shape{random.integer(1, 100), random.integer(1, 80)};
}
Shape random_maps(TestRandom& random) {
  return Shape{random.integer(1, 5), random.integer(1, 12), random.integer(1, 12),
               random.integer(1, 70)};
}

using RandomShape = Shape (*)(TestRandom& random);

template <RandomShape random_shape>
OpCase batch_norm_fwd(TestRandom& random) {
  OpCase made;
  const Shape x = random_shape(random);
  const Shape channels{x.dim(-1)};
  made.op.inputs = {add(made, "X", x),
                    add(made, "gamma", channels, DType::F32, RegionKind::DEEP_WEIGHTS),
                    add(made, "beta", channels, DType::F32, RegionKind::DEEP_WEIGHTS)};
  made.op.outputs = {
      add(made, "Y", x), add(made, "mean", channels), add(made, "inv_std", channels),
      add(made, "batch_stats", Shape{2, x.dim(-1)}, DType::F32, RegionKind::BN_BATCH_STATS)};
  made.op.attributes = BatchNormHyper{static_cast<float>(random.real(1e-5, 1e-2)), 0.1F};
  return made;
}

template <RandomShape random_shape>
OpCase batch_norm_bwd(TestRandom& random) {
  OpCase made;
  const Shape x = random_shape(random);
  const Shape channels{x.dim(-1)};
  made.op.inputs = {add(made, "dY", x), add(made, "X", x),
                    add(made, "gamma", channels, DType::F32, RegionKind::DEEP_WEIGHTS),
                    add(made, "mean", channels), add(made, "inv_std", channels)};
  made.op.outputs = {add(made, "dgamma", channels, DType::F32, RegionKind::DEEP_GRADIENTS),
                     add(made, "dbeta", channels, DType::F32, RegionKind::DEEP_GRADIENTS),
                     add(made, "dX", x)};
  return made;
}

template <RandomShape random_shape>
OpCase batch_norm_inf(TestRandom& random) {
  OpCase made;
  const Shape x = random_shape(random);
  made.op.inputs = {add(made, "X", x),
                    add(made, "eq", Shape{2, x.dim(-1)}, DType::F32, RegionKind::BN_INFERENCE)};
  made.op.outputs = {add(made, "Y", x)};
  return made;
}

OpCase batch_norm_eq(TestRandom& random) {
  OpCase made;
  const std::int64_t channels = random.integer(1, 70);
  made.op.inputs = {
      add(made, "gamma", Shape{channels}, DType::F32, RegionKind::DEEP_WEIGHTS),
      add(made, "beta", Shape{channels}, DType::F32, RegionKind::DEEP_WEIGHTS),
      add(made, "running", Shape{2, channels}, DType::F32, RegionKind::BN_RUNNING_STATS)};
  made.op.outputs = {add(made, "eq", Shape{2, channels}, DType::F32, RegionKind::BN_INFERENCE)};
  made.op.attributes = BatchNormHyper{1e-3F, 0.1F};
  return made;
}

OpCase range_bn_stats(TestRandom& random) {
  OpCase made;
  const std::int64_t first = random.integer(1, 40);
  const std::int64_t second = random.integer(1, 40);
  made.op.regions = {RegionKind::BN_RUNNING_STATS, RegionKind::BN_BATCH_STATS};
  for (const RegionKind region : made.op.regions) {
    add(made, "bn1/stats", Shape{2, first}, DType::F32, region);
    add(made, "bn2/stats", Shape{2, second}, DType::F32, region);
  }
  made.op.attributes = BatchNormHyper{1e-5F, static_cast<float>(random.real(0, 1))};
  return made;
}

struct PoolTensors {
  TensorId x, y;
};

PoolTensors add_avgpool(OpCase& made, TestRandom& random) {
  for (;;) {
    const Shape x = random_images(random);
    const Window window = random_window(random, 4);
    const Result<Shape> y = avgpool_output_shape(x, window);
    if (!y) continue;
    made.op.attributes = window;
    return {add(made, "X", x), add(made, "Y", *y)};
  }
}

PoolTensors add_gap(OpCase& made, TestRandom& random) {
  const Shape x = random_maps(random);
  return {add(made, "X", x), add(made, "Y", *gap_output_shape(x))};
}

using AddPool = PoolTensors (*)(OpCase& made, TestRandom& random);

template <AddPool add_pool>
OpCase pool_fwd(TestRandom& random) {
  OpCase made;
  const PoolTensors t = add_pool(made, random);
  made.op.inputs = {t.x};
  made.op.outputs = {t.y};
  return made;
}

template <AddPool add_pool>
OpCase pool_bwd(TestRandom& random) {
  OpCase made;
  const PoolTensors t = add_pool(made, random);
  made.op.inputs = {t.y};
  made.op.outputs = {t.x};
  return made;
}

OpCase add_of_two(TestRandom& random) {
  OpCase made;
  const Shape shape = random_images(random);
  made.op.inputs = {add(made, "A", shape), add(made, "B", shape)};
  made.op.outputs = {add(made, "Y", shape)};
  return made;
}

DropoutHyper random_dropout(TestRandom& random) {
  const bool none = random.integer(0, 4) == 0;
  return {none ? 0.0F : static_cast<float>(random.real(0.05, 0.9)), random.engine()()};
}

OpCase dropout_fwd(TestRandom& random) {
  OpCase made;
  const Shape shape = random_images(random);
  made.op.inputs = {add(made, "X", shape),
                    add(made, "counter", Shape{1}, DType::I64, RegionKind::SCALARS)};
  made.op.outputs = {add(made, "Y", shape), add(made, "mask", shape, DType::U8)};
  made.op.attributes = random_dropout(random);
  return made;
}

OpCase dropout_bwd(TestRandom& random) {
  OpCase made;
  const Shape shape = random_images(random);
  made.op.inputs = {add(made, "dY", shape), add(made, "mask", shape, DType::U8)};
  made.op.outputs = {add(made, "dX", shape)};
  made.op.attributes = random_dropout(random);
  return made;
}

constexpr CaseMaker kLayerMakers[] = {
    {ComputeOp::BN1D_FP32_FWD, batch_norm_fwd<random_features>},
    {ComputeOp::BN1D_FP32_BWD, batch_norm_bwd<random_features>},
    {ComputeOp::BN1D_FP32_INF, batch_norm_inf<random_features>},
    {ComputeOp::BN2D_FP32_FWD, batch_norm_fwd<random_maps>},
    {ComputeOp::BN2D_FP32_BWD, batch_norm_bwd<random_maps>},
    {ComputeOp::BN2D_FP32_INF, batch_norm_inf<random_maps>},
    {ComputeOp::AVGPOOL_FP32_FWD, pool_fwd<add_avgpool>},
    {ComputeOp::AVGPOOL_FP32_BWD, pool_bwd<add_avgpool>},
    {ComputeOp::GAP_FP32_FWD, pool_fwd<add_gap>},
    {ComputeOp::GAP_FP32_BWD, pool_bwd<add_gap>},
    {ComputeOp::DROPOUT_FP32_FWD, dropout_fwd},
    {ComputeOp::DROPOUT_FP32_BWD, dropout_bwd},
    {ComputeOp::TANH_FP32_FWD, activation_fwd<Activation::TANH>},
    {ComputeOp::TANH_FP32_BWD, activation_bwd<Activation::TANH>},
    {ComputeOp::SILU_FP32_FWD, activation_fwd<Activation::SILU>},
    {ComputeOp::SILU_FP32_BWD, activation_bwd<Activation::SILU>},
    {ComputeOp::RELU6_FP32_FWD, activation_fwd<Activation::RELU6>},
    {ComputeOp::RELU6_FP32_BWD, activation_bwd<Activation::RELU6>},
    {ComputeOp::LEAKY_RELU_FP32_FWD, activation_fwd<Activation::LEAKY_RELU>},
    {ComputeOp::LEAKY_RELU_FP32_BWD, activation_bwd<Activation::LEAKY_RELU>},
    {ComputeOp::SIGMOID_FP32_FWD, activation_fwd<Activation::SIGMOID>},
    {ComputeOp::SIGMOID_FP32_BWD, activation_bwd<Activation::SIGMOID>},
    {ComputeOp::HARDSWISH_FP32_FWD, activation_fwd<Activation::HARDSWISH>},
    {ComputeOp::HARDSWISH_FP32_BWD, activation_bwd<Activation::HARDSWISH>},
    {ComputeOp::ELU_FP32_FWD, activation_fwd<Activation::ELU>},
    {ComputeOp::ELU_FP32_BWD, activation_bwd<Activation::ELU>},
    {ComputeOp::ADD_FP32_FWD, add_of_two},
    {ComputeOp::ADD_FP32_BWD, add_of_two},
    {ComputeOp::BN_UPDATE_EQ_PARAMS, batch_norm_eq},
    {RangeOp::RANGE_BN_STATS_UPDATE, range_bn_stats},
};

}  // namespace

std::span<const CaseMaker> layer_case_makers() {
  return kLayerMakers;
}

}  // namespace quintet
