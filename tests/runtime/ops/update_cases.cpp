#include "tests/runtime/ops/case_parts.h"

namespace quintet {

namespace {

TensorId add_scalar(OpCase& made, std::string name, DType dtype = DType::F32,
                    std::int64_t elements = 1) {
  return add(made, std::move(name), Shape{elements}, dtype, RegionKind::SCALARS);
}

/// found_inf as last input of half of the cases.
void maybe_add_found_inf(OpCase& made, TestRandom& random) {
  if (random.integer(0, 1) == 1)
    made.op.inputs.push_back(add_scalar(made, "found_inf", DType::I32));
}

float random_float(TestRandom& random, double low, double high) {
  return static_cast<float>(random.real(low, high));
}

float random_decay(TestRandom& random) {
  return random.integer(0, 1) == 0 ? 0.0F : 0.125F;
}

OpAttributes random_adam(TestRandom& random) {
  AdamHyper hyper;
  hyper.beta1 = random_float(random, 0, 0.99);
  hyper.beta2 = random_float(random, 0.5, 0.999);
  hyper.weight_decay = random_decay(random);
  return hyper;
}

OpCase adam_bias_correction(TestRandom& random) {
  OpCase made;
  made.op.outputs = {add_scalar(made, "adam_t", DType::I64),
                     add_scalar(made, "adam_correction", DType::F32, 2)};
  maybe_add_found_inf(made, random);
  made.op.attributes = random_adam(random);
  return made;
}

OpCase range_adam(TestRandom& random) {
  OpCase made;
  add_layout(made, random,
             {RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS, RegionKind::DEEP_MOMENTUM,
              RegionKind::DEEP_VARIANCE});
  made.op.inputs = {add_scalar(made, "lr"), add_scalar(made, "adam_correction", DType::F32, 2)};
  maybe_add_found_inf(made, random);
  made.op.attributes = random_adam(random);
  return made;
}

OpCase lars(TestRandom& random) {
  OpCase made;
  made.op.inputs = {add_scalar(made, "lr")};
  const std::int64_t tensors = random.integer(1, 4);
  for (std::int64_t i = 0; i < tensors; ++i) {
    const Shape shape{random.integer(1, 9), random.integer(1, 30)};
    const std::string number = std::to_string(i);
    made.op.inputs.push_back(
        add(made, "G" + number, shape, DType::F32, RegionKind::DEEP_GRADIENTS));
    made.op.outputs.push_back(add(made, "W" + number, shape, DType::F32, RegionKind::DEEP_WEIGHTS));
    made.op.outputs.push_back(
        add(made, "M" + number, shape, DType::F32, RegionKind::DEEP_MOMENTUM));
  }
  maybe_add_found_inf(made, random);
  LarsHyper hyper;
  hyper.momentum = random_float(random, 0, 0.99);
  hyper.weight_decay = random_decay(random);
  hyper.trust = random_float(random, 0.001, 1);
  made.op.attributes = hyper;
  return made;
}

OpCase range_ema(TestRandom& random) {
  OpCase made;
  add_layout(made, random, {RegionKind::DEEP_EMA, RegionKind::DEEP_WEIGHTS});
  maybe_add_found_inf(made, random);
  made.op.attributes = EmaHyper{random_float(random, 0.5, 0.999)};
  return made;
}

/// One to three tensors of odd sizes in one type, and their partners in the other.
OpCase cast(TestRandom& random, DType from, RegionKind from_region, DType to,
            RegionKind to_region) {
  OpCase made;
  const std::int64_t tensors = random.integer(1, 3);
  for (std::int64_t i = 0; i < tensors; ++i) {
    const Shape shape{random.integer(1, 3), random.integer(1, 700)};
    const std::string number = std::to_string(i);
    made.op.inputs.push_back(add(made, "source" + number, shape, from, from_region));
    made.op.outputs.push_back(add(made, "target" + number, shape, to, to_region));
  }
  return made;
}

OpCase cast_to_fp16(TestRandom& random) {
  return cast(random, DType::F32, RegionKind::DEEP_WEIGHTS, DType::F16,
              RegionKind::DEEP_WEIGHTS_FP16);
}

OpCase cast_to_fp32(TestRandom& random) {
  return cast(random, DType::F16, RegionKind::DEEP_GRADIENTS_FP16, DType::F32,
              RegionKind::DEEP_GRADIENTS);
}

/// Regions, tensors of both types, or all of them.
OpCase check_nan(TestRandom& random) {
  OpCase made;
  const std::int64_t which = random.integer(0, 2);
  if (which != 0)
    add_layout(made, random, {RegionKind::FIRST_GRADIENTS, RegionKind::DEEP_GRADIENTS});
  if (which != 1) {
    made.op.inputs = {add(made, "X", random_images(random)),
                      add(made, "dX", random_images(random), DType::F16)};
  }
  if (which == 2) {
    add(made, "dW", random_images(random), DType::F16, RegionKind::DEEP_GRADIENTS_FP16);
    made.op.regions.push_back(RegionKind::DEEP_GRADIENTS_FP16);
  }
  made.op.outputs = {add_scalar(made, "found_inf", DType::I32)};
  return made;
}

OpCase scale_gradients(TestRandom& random) {
  OpCase made;
  add_layout(made, random, {RegionKind::FIRST_GRADIENTS, RegionKind::DEEP_GRADIENTS});
  if (random.integer(0, 3) > 0) {
    made.op.inputs = {add_scalar(made, "loss_scale")};
    maybe_add_found_inf(made, random);
  }
  made.op.attributes = GradientScaleHyper{static_cast<std::int32_t>(random.integer(1, 4))};
  return made;
}

OpCase loss_scale_update(TestRandom& random) {
  OpCase made;
  made.op.inputs = {add_scalar(made, "found_inf", DType::I32)};
  made.op.outputs = {add_scalar(made, "loss_scale"), add_scalar(made, "good_steps", DType::I32)};
  LossScaleHyper hyper;
  hyper.minimum = 0.5F;
  hyper.maximum = 2.0F;
  hyper.growth_interval = static_cast<std::int32_t>(random.integer(1, 3));
  made.op.attributes = hyper;
  return made;
}

constexpr CaseMaker kUpdateMakers[] = {
    {ComputeOp::LOSS_SCALE_UPDATE, loss_scale_update},
    {ComputeOp::ADAM_BIAS_CORRECTION, adam_bias_correction},
    {ComputeOp::LARS_UPDATE_FC, lars},
    {ComputeOp::LARS_UPDATE_FIRST, lars},
    {ComputeOp::LARS_UPDATE_DEEP, lars},
    {RangeOp::RANGE_CAST_FP32_TO_FP16, cast_to_fp16},
    {RangeOp::RANGE_CAST_FP16_TO_FP32, cast_to_fp32},
    {RangeOp::RANGE_EMA_PARAM_UPDATE, range_ema},
    {RangeOp::RANGE_CHECK_NAN, check_nan},
    {RangeOp::RANGE_ADAM_UPDATE, range_adam},
    {RangeOp::RANGE_ADAMW_UPDATE, range_adam},
    {RangeOp::RANGE_SCALE_GRADIENTS, scale_gradients},
};

}  // namespace

std::span<const CaseMaker> update_case_makers() {
  return kUpdateMakers;
}

}  // namespace quintet
