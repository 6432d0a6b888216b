#include "tests/runtime/ops/large_cases.h"

#include <algorithm>

#include "runtime/ops/conv.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/gap.h"
#include "runtime/ops/maxpool.h"
#include "tests/runtime/ops/case_parts.h"

namespace quintet {

namespace {

constexpr RegionKind kWeights = RegionKind::DEEP_WEIGHTS;
constexpr RegionKind kGradients = RegionKind::DEEP_GRADIENTS;
constexpr Window kThree{3, 3, 1, 1, 1, 1};
constexpr Window kOneStrided{1, 1, 2, 2, 0, 0};
constexpr Window kSevenStrided{7, 7, 2, 2, 3, 3};
constexpr Window kPool{3, 3, 2, 2, 1, 1};

OpCase case_of(OpKind kind, OpAttributes attributes = {}) {
  OpCase made;
  made.op.kind = kind;
  made.op.layer = "layer";
  made.op.attributes = attributes;
  return made;
}
void input(OpCase& made, const char* name, const Shape& shape, DType dtype = DType::F32,
           RegionKind region = RegionKind::FEATURES) {
  made.op.inputs.push_back(add(made, name, shape, dtype, region));
}
void output(OpCase& made, const char* name, const Shape& shape, DType dtype = DType::F32,
            RegionKind region = RegionKind::FEATURES) {
  made.op.outputs.push_back(add(made, name, shape, dtype, region));
}

OpCase conv_forward(const Shape& x, const Window& window, std::int64_t channels, bool bias) {
  OpCase made = case_of(ComputeOp::CONV_FP32_FWD, window);
  input(made, "X", x);
  input(made, "W", conv_weight_shape(x, window, channels), DType::F32, kWeights);
  if (bias) input(made, "B", Shape{channels}, DType::F32, kWeights);
  output(made, "Y", *conv_output_shape(x, window, channels));
  return made;
}

OpCase conv_backward(const Shape& x, const Window& window, std::int64_t channels, bool bias,
                     bool first) {
  OpCase made =
      case_of(first ? ComputeOp::CONV_FP32_BWD_FIRST_LAYER : ComputeOp::CONV_FP32_BWD, window);
  const Shape w = conv_weight_shape(x, window, channels);
  input(made, "dY", *conv_output_shape(x, window, channels));
  input(made, "X", x);
  if (!first) input(made, "W", w, DType::F32, kWeights);
  output(made, "dW", w, DType::F32, kGradients);
  if (bias) output(made, "dB", Shape{channels}, DType::F32, kGradients);
  if (!first) output(made, "dX", x);
  return made;
}

OpCase fc_forward(const Shape& x, std::int64_t features) {
  OpCase made = case_of(ComputeOp::FC_FP32_FWD);
  input(made, "X", x);
  input(made, "W", fc_weight_shape(x, features), DType::F32, kWeights);
  input(made, "B", Shape{features}, DType::F32, kWeights);
  output(made, "Y", *fc_output_shape(x, features));
  return made;
}

OpCase fc_backward(const Shape& x, std::int64_t features) {
  OpCase made = case_of(ComputeOp::FC_FP32_BWD);
  const Shape w = fc_weight_shape(x, features);
  input(made, "dY", *fc_output_shape(x, features));
  input(made, "X", x);
  input(made, "W", w, DType::F32, kWeights);
  output(made, "dW", w, DType::F32, kGradients);
  output(made, "dB", Shape{features}, DType::F32, kGradients);
  output(made, "dX", x);
  return made;
}

OpCase batch_norm_forward(OpKind kind, const Shape& x) {
  const Shape channels{x.dim(-1)};
  OpCase made = case_of(kind, BatchNormHyper{});
  input(made, "X", x);
  input(made, "gamma", channels, DType::F32, kWeights);
  input(made, "beta", channels, DType::F32, kWeights);
  output(made, "Y", x);
  output(made, "mean", channels);
  output(made, "inv_std", channels);
  output(made, "batch_stats", Shape{2, x.dim(-1)}, DType::F32, RegionKind::BN_BATCH_STATS);
  return made;
}

OpCase batch_norm_backward(OpKind kind, const Shape& x) {
  const Shape channels{x.dim(-1)};
  OpCase made = case_of(kind);
  input(made, "dY", x);
  input(made, "X", x);
  input(made, "gamma", channels, DType::F32, kWeights);
  input(made, "mean", channels);
  input(made, "inv_std", channels);
  output(made, "dgamma", channels, DType::F32, kGradients);
  output(made, "dbeta", channels, DType::F32, kGradients);
  output(made, "dX", x);
  return made;
}

OpCase batch_norm_inference(const Shape& x) {
  OpCase made = case_of(ComputeOp::BN2D_FP32_INF);
  input(made, "X", x);
  input(made, "eq", Shape{2, x.dim(-1)}, DType::F32, RegionKind::BN_INFERENCE);
  output(made, "Y", x);
  return made;
}

OpCase maxpool_forward(const Shape& x) {
  OpCase made = case_of(ComputeOp::MAXPOOL_FP32_FWD, kPool);
  input(made, "X", x);
  output(made, "Y", *pool_output_shape(x, kPool));
  output(made, "argmax", *pool_output_shape(x, kPool), DType::U8);
  return made;
}

OpCase maxpool_backward(const Shape& x) {
  OpCase made = case_of(ComputeOp::MAXPOOL_FP32_BWD, kPool);
  input(made, "dY", *pool_output_shape(x, kPool));
  input(made, "argmax", *pool_output_shape(x, kPool), DType::U8);
  output(made, "dX", x);
  return made;
}

/// Inputs of the shape `from`, an output of the shape `to`.
OpCase elementwise(OpKind kind, std::initializer_list<const char*> inputs, const Shape& from,
                   const Shape& to) {
  OpCase made = case_of(kind);
  for (const char* const name : inputs)
    input(made, name, from);
  output(made, "result", to);
  return made;
}

OpCase relu_forward(const Shape& x) {
  OpCase made = elementwise(ComputeOp::RELU_FP32_FWD, {"X"}, x, x);
  output(made, "mask", x, DType::U8);
  return made;
}

OpCase relu_backward(const Shape& x) {
  OpCase made = case_of(ComputeOp::RELU_FP32_BWD);
  input(made, "dY", x);
  input(made, "mask", x, DType::U8);
  output(made, "dX", x);
  return made;
}

OpCase dropout_forward(const Shape& x) {
  OpCase made = case_of(ComputeOp::DROPOUT_FP32_FWD, DropoutHyper{0.5F, 0x1234'5678'9ABC'DEF0U});
  input(made, "X", x);
  input(made, "counter", Shape{1}, DType::I64, RegionKind::SCALARS);
  output(made, "Y", x);
  output(made, "mask", x, DType::U8);
  return made;
}

OpCase loss(OpKind kind, const Shape& scores) {
  const Shape samples{scores.dim(0)};
  const bool forward = kind == OpKind(ComputeOp::SOFTMAX_CE_FP32_FWD);
  OpCase made = case_of(kind, LossHyper{0.1F});
  input(made, forward ? "logits" : "probabilities", scores);
  input(made, "labels", samples, DType::I32);
  output(made, forward ? "probabilities" : "dlogits", scores);
  if (forward) output(made, "losses", samples);
  return made;
}

OpCase metrics(const Shape& scores) {
  OpCase made = case_of(ComputeOp::METRICS);
  input(made, "losses", Shape{scores.dim(0)});
  input(made, "probabilities", scores);
  input(made, "labels", Shape{scores.dim(0)}, DType::I32);
  output(made, "result", Shape{2}, DType::F64, RegionKind::HOST_RESULTS);
  return made;
}

/// Three tensors of odd sizes in each region.
OpCase ranges(OpKind kind, std::initializer_list<RegionKind> regions, OpAttributes attributes) {
  OpCase made = case_of(kind, attributes);
  for (const RegionKind region : regions) {
    for (const std::int64_t size : {2'359'297, 63, 1'000'003})
      add(made, std::string(name_of(region)), Shape{size}, DType::F32, region);
    made.op.regions.push_back(region);
  }
  return made;
}
void scalar(OpCase& made, const char* name, DType dtype = DType::F32, std::int64_t elements = 1) {
  input(made, name, Shape{elements}, dtype, RegionKind::SCALARS);
}

/// Sizes as ResNet-50's 161 parameters have: many small ones, some of a chunk and one more or less.
std::vector<std::int64_t> parameter_sizes() {
  std::vector<std::int64_t> sizes = {2'359'296, 1'048'576, 2'048'000, 4096, 4095, 4097, 8192, 1};
  TestRandom random(41);
  while (sizes.size() < 161)
    sizes.push_back(random.integer(0, 2) > 0 ? 64 << random.integer(0, 5)
                                             : random.integer(1, 200'000));
  return sizes;
}

OpCase cast(OpKind kind, DType from, RegionKind from_region, DType to, RegionKind to_region) {
  OpCase made = case_of(kind);
  for (const std::int64_t size : parameter_sizes()) {
    input(made, "source", Shape{size}, from, from_region);
    output(made, "target", Shape{size}, to, to_region);
  }
  return made;
}

OpCase lars() {
  OpCase made = case_of(ComputeOp::LARS_UPDATE_DEEP, LarsHyper{0.9F, 1e-4F, 0.02F, 1e-9F});
  scalar(made, "lr");
  for (const std::int64_t size : parameter_sizes()) {
    input(made, "G", Shape{size}, DType::F32, kGradients);
    output(made, "W", Shape{size}, DType::F32, kWeights);
    output(made, "M", Shape{size}, DType::F32, RegionKind::DEEP_MOMENTUM);
  }
  return made;
}

OpCase check_nan() {
  OpCase made = case_of(RangeOp::RANGE_CHECK_NAN);
  for (const std::int64_t size : parameter_sizes()) {
    input(made, "F32", Shape{size}, DType::F32, kGradients);
    input(made, "F16", Shape{size}, DType::F16, RegionKind::DEEP_GRADIENTS_FP16);
  }
  output(made, "found_inf", Shape{1}, DType::I32, RegionKind::SCALARS);
  return made;
}

const Shape kEarly{32, 56, 56, 64};
const Shape kLate{8, 7, 7, 2048};
const Shape kScores{256, 1000};

}  // namespace

std::vector<LargeCase> large_layer_cases() {
  return {
      {"Conv3x3", [] { return conv_forward(kEarly, kThree, 64, false); }},
      {"Conv3x3Backward", [] { return conv_backward(kEarly, kThree, 64, false, false); }},
      {"Conv1x1Strided",
       [] {
         return conv_forward({32, 56, 56, 256}, kOneStrided, 512, false);
       }},
      {"Conv1x1StridedBackward",
       [] {
         return conv_backward({32, 56, 56, 256}, kOneStrided, 512, false, false);
       }},
      {"Conv3x3WithBias",
       [] {
         return conv_forward({8, 28, 28, 256}, kThree, 256, true);
       }},
      {"Conv3x3WithBiasBackward",
       [] {
         return conv_backward({8, 28, 28, 256}, kThree, 256, true, false);
       }},
      {"Conv7x7OfImages",
       [] {
         return conv_forward({16, 224, 224, 3}, kSevenStrided, 64, true);
       }},
      {"Conv7x7OfImagesBackward",
       [] {
         return conv_backward({16, 224, 224, 3}, kSevenStrided, 64, true, true);
       }},
      {"Fc",
       [] {
         return fc_forward({64, 2048}, 1000);
       }},
      {"FcBackward",
       [] {
         return fc_backward({64, 2048}, 1000);
       }},
      {"FcOfMapsBackward",
       [] {
         return fc_backward({128, 7, 7, 64}, 4096);
       }},
      {"BatchNormEarly", [] { return batch_norm_forward(ComputeOp::BN2D_FP32_FWD, kEarly); }},
      {"BatchNormLate", [] { return batch_norm_forward(ComputeOp::BN2D_FP32_FWD, kLate); }},
      {"BatchNormOfFeatures",
       [] {
         return batch_norm_forward(ComputeOp::BN1D_FP32_FWD, {256, 4096});
       }},
      {"BatchNormEarlyBackward",
       [] { return batch_norm_backward(ComputeOp::BN2D_FP32_BWD, kEarly); }},
      {"BatchNormLateBackward",
       [] { return batch_norm_backward(ComputeOp::BN2D_FP32_BWD, kLate); }},
      {"BatchNormInference", [] { return batch_norm_inference(kEarly); }},
      {"MaxPool",
       [] {
         return maxpool_forward({16, 112, 112, 64});
       }},
      {"MaxPoolBackward",
       [] {
         return maxpool_backward({16, 112, 112, 64});
       }},
      {"Gap",
       [] { return elementwise(ComputeOp::GAP_FP32_FWD, {"X"}, kLate, *gap_output_shape(kLate)); }},
      {"GapBackward",
       [] {
         return elementwise(ComputeOp::GAP_FP32_BWD, {"dY"}, *gap_output_shape(kLate), kLate);
       }},
      {"Relu", [] { return relu_forward(kEarly); }},
      {"ReluBackward", [] { return relu_backward(kEarly); }},
      {"Add",
       [] {
         return elementwise(ComputeOp::ADD_FP32_FWD, {"A", "B"}, kEarly, kEarly);
       }},
      {"Silu", [] { return elementwise(ComputeOp::SILU_FP32_FWD, {"X"}, kEarly, kEarly); }},
      {"Dropout",
       [] {
         return dropout_forward({256, 4096});
       }},
      {"Loss", [] { return loss(ComputeOp::SOFTMAX_CE_FP32_FWD, kScores); }},
      {"LossBackward", [] { return loss(ComputeOp::SOFTMAX_CE_FP32_BWD, kScores); }},
  };
}

std::vector<LargeCase> large_update_cases() {
  return {
      {"Sgd",
       [] {
         OpCase made =
             ranges(RangeOp::RANGE_SGD_UPDATE, {kWeights, kGradients, RegionKind::DEEP_MOMENTUM},
                    SgdHyper{0.9F, 1e-4F, true});
         scalar(made, "lr");
         return made;
       }},
      {"AdamW",
       [] {
         OpCase made =
             ranges(RangeOp::RANGE_ADAMW_UPDATE,
                    {kWeights, kGradients, RegionKind::DEEP_MOMENTUM, RegionKind::DEEP_VARIANCE},
                    AdamHyper{0.9F, 0.999F, 1e-8F, 0.01F});
         scalar(made, "lr");
         scalar(made, "correction", DType::F32, 2);
         return made;
       }},
      {"Ema",
       [] {
         return ranges(RangeOp::RANGE_EMA_PARAM_UPDATE, {RegionKind::DEEP_EMA, kWeights},
                       EmaHyper{});
       }},
      {"Clear",
       [] {
         return ranges(RangeOp::RANGE_CLEAR, {RegionKind::FIRST_GRADIENTS, kGradients}, {});
       }},
      {"ScaleGradients",
       [] {
         OpCase made = ranges(RangeOp::RANGE_SCALE_GRADIENTS,
                              {RegionKind::FIRST_GRADIENTS, kGradients}, GradientScaleHyper{3});
         scalar(made, "loss_scale");
         return made;
       }},
      {"CastToFp16",
       [] {
         return cast(RangeOp::RANGE_CAST_FP32_TO_FP16, DType::F32, kWeights, DType::F16,
                     RegionKind::DEEP_WEIGHTS_FP16);
       }},
      {"CastToFp32",
       [] {
         return cast(RangeOp::RANGE_CAST_FP16_TO_FP32, DType::F16, RegionKind::DEEP_GRADIENTS_FP16,
                     DType::F32, kGradients);
       }},
      {"Lars", lars},
      {"CheckNan", check_nan},
      {"Metrics", [] { return metrics(kScores); }},
  };
}

}  // namespace quintet
