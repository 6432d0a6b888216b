#include "tests/runtime/ops/op_cases.h"

#include <algorithm>
#include <cassert>

#include "runtime/ops/conv.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/maxpool.h"
#include "tests/runtime/ops/amp_cases.h"
#include "tests/runtime/ops/case_parts.h"

namespace quintet {

namespace {

/// Convolutions and fully connected layers come with and without a bias.
std::optional<TensorId> add_bias(OpCase& made, TestRandom& random, std::int64_t channels) {
  if (random.integer(0, 2) == 0) return std::nullopt;
  return add(made, "B", Shape{channels}, DType::F32, RegionKind::DEEP_WEIGHTS);
}

struct ConvTensors {
  TensorId x, w, y;
  std::optional<TensorId> b;
  Window window;
};

ConvTensors add_conv(OpCase& made, TestRandom& random) {
  for (;;) {
    const Shape x = random_images(random);
    const Window window = random_window(random, 5);
    const std::int64_t channels = random.integer(1, 18);
    const Result<Shape> y = conv_output_shape(x, window, channels);
    if (!y) continue;
    return {add(made, "X", x),
            add(made, "W", conv_weight_shape(x, window, channels), DType::F32,
                RegionKind::DEEP_WEIGHTS),
            add(made, "dY", *y), add_bias(made, random, channels), window};
  }
}

TensorId add_like(OpCase& made, TensorId of, RegionKind region) {
  const Tensor& tensor = made.tensors[of];
  return add(made, "d" + tensor.name, tensor.shape, tensor.dtype, region);
}

OpCase conv_fwd(TestRandom& random) {
  OpCase made;
  const ConvTensors t = add_conv(made, random);
  made.op.inputs = {t.x, t.w};
  if (t.b) made.op.inputs.push_back(*t.b);
  made.op.outputs = {t.y};
  made.op.attributes = t.window;
  return made;
}

OpCase conv_bwd(TestRandom& random) {
  OpCase made;
  const ConvTensors t = add_conv(made, random);
  made.op.inputs = {t.y, t.x, t.w};
  made.op.outputs = {add_like(made, t.w, RegionKind::DEEP_GRADIENTS)};
  if (t.b) made.op.outputs.push_back(add_like(made, *t.b, RegionKind::DEEP_GRADIENTS));
  made.op.outputs.push_back(add_like(made, t.x, RegionKind::FEATURES));
  made.op.attributes = t.window;
  return made;
}

OpCase conv_bwd_first_layer(TestRandom& random) {
  OpCase made;
  const ConvTensors t = add_conv(made, random);
  made.op.inputs = {t.y, t.x};
  made.op.outputs = {add_like(made, t.w, RegionKind::FIRST_GRADIENTS)};
  if (t.b) made.op.outputs.push_back(add_like(made, *t.b, RegionKind::FIRST_GRADIENTS));
  made.op.attributes = t.window;
  return made;
}

struct FcTensors {
  TensorId x, w, y;
  std::optional<TensorId> b;
};

FcTensors add_fc(OpCase& made, TestRandom& random) {
  const bool flat = random.integer(0, 1) == 0;
  const Shape x =
      flat ? Shape{random.integer(1, 40), random.integer(1, 150)} : random_images(random);
  const std::int64_t features = random.integer(1, 130);
  return {add(made, "X", x),
          add(made, "W", fc_weight_shape(x, features), DType::F32, RegionKind::DEEP_WEIGHTS),
          add(made, "dY", *fc_output_shape(x, features)), add_bias(made, random, features)};
}

OpCase fc_fwd(TestRandom& random) {
  OpCase made;
  const FcTensors t = add_fc(made, random);
  made.op.inputs = {t.x, t.w};
  if (t.b) made.op.inputs.push_back(*t.b);
  made.op.outputs = {t.y};
  return made;
}

OpCase fc_bwd(TestRandom& random) {
  OpCase made;
  const FcTensors t = add_fc(made, random);
  made.op.inputs = {t.y, t.x, t.w};
  made.op.outputs = {add_like(made, t.w, RegionKind::DEEP_GRADIENTS)};
  if (t.b) made.op.outputs.push_back(add_like(made, *t.b, RegionKind::DEEP_GRADIENTS));
  made.op.outputs.push_back(add_like(made, t.x, RegionKind::FEATURES));
  return made;
}

OpCase fc_bwd_first_layer(TestRandom& random) {
  OpCase made;
  const FcTensors t = add_fc(made, random);
  made.op.inputs = {t.y, t.x};
  made.op.outputs = {add_like(made, t.w, RegionKind::FIRST_GRADIENTS)};
  if (t.b) made.op.outputs.push_back(add_like(made, *t.b, RegionKind::FIRST_GRADIENTS));
  return made;
}

OpCase relu_fwd(TestRandom& random) {
  OpCase made;
  const TensorId x = add(made, "X", random_images(random));
  made.op.inputs = {x};
  made.op.outputs = {add(made, "Y", made.tensors[x].shape)};
  if (random.integer(0, 2) > 0)
    made.op.outputs.push_back(add(made, "mask", made.tensors[x].shape, DType::U8));
  return made;
}

OpCase relu_bwd(TestRandom& random) {
  OpCase made;
  const TensorId dy = add(made, "dY", random_images(random));
  made.op.inputs = {dy, add(made, "mask", made.tensors[dy].shape, DType::U8)};
  made.op.outputs = {add(made, "dX", made.tensors[dy].shape)};
  return made;
}

struct PooledTensors {
  TensorId x, y, argmax;
  Window window;
};

PooledTensors add_pool(OpCase& made, TestRandom& random) {
  for (;;) {
    const Shape x = random_images(random);
    const Window window = random_window(random, 4);
    const Result<Shape> y = pool_output_shape(x, window);
    if (!y) continue;
    return {add(made, "X", x), add(made, "Y", *y), add(made, "argmax", *y, DType::U8), window};
  }
}

OpCase maxpool_fwd(TestRandom& random) {
  OpCase made;
  const PooledTensors t = add_pool(made, random);
  made.op.inputs = {t.x};
  made.op.outputs = {t.y};
  if (random.integer(0, 2) > 0) made.op.outputs.push_back(t.argmax);
  made.op.attributes = t.window;
  return made;
}

OpCase maxpool_bwd(TestRandom& random) {
  OpCase made;
  const PooledTensors t = add_pool(made, random);
  made.op.inputs = {t.y, t.argmax};
  made.op.outputs = {t.x};
  made.op.attributes = t.window;
  return made;
}

struct LossTensors {
  TensorId logits, labels, probabilities, losses;
};

LossTensors add_loss(OpCase& made, TestRandom& random) {
  const std::int64_t samples = random.integer(1, 30);
  const std::int64_t classes = random.integer(2, 20);
  return {add(made, "logits", Shape{samples, classes}),
          add(made, "labels", Shape{samples}, DType::I32),
          add(made, "probabilities", Shape{samples, classes}), add(made, "losses", Shape{samples})};
}

/// None, or label smoothing.
OpAttributes random_loss(TestRandom& random) {
  if (random.integer(0, 1) == 0) return {};
  return LossHyper{static_cast<float>(random.real(0, 0.5))};
}

OpCase softmax_ce_fwd(TestRandom& random) {
  OpCase made;
  const LossTensors t = add_loss(made, random);
  made.op.inputs = {t.logits, t.labels};
  made.op.outputs = {t.probabilities, t.losses};
  made.op.attributes = random_loss(random);
  return made;
}

OpCase softmax_ce_bwd(TestRandom& random) {
  OpCase made;
  const LossTensors t = add_loss(made, random);
  made.op.inputs = {t.probabilities, t.labels};
  made.op.outputs = {t.logits};
  made.op.attributes = random_loss(random);
  return made;
}

OpCase metrics(TestRandom& random) {
  OpCase made;
  const LossTensors t = add_loss(made, random);
  made.op.inputs = {t.losses, t.probabilities, t.labels};
  made.op.outputs = {add(made, "result", Shape{2}, DType::F64, RegionKind::HOST_RESULTS)};
  return made;
}

OpCase h2d_copy(TestRandom& random) {
  OpCase made;
  const Shape shape = random_images(random);
  made.op.inputs = {add(made, "host", shape, DType::F32, RegionKind::HOST_BATCH_A)};
  made.op.outputs = {add(made, "device", shape, DType::F32, RegionKind::BATCH_A)};
  return made;
}

OpCase stage_labels(TestRandom& random) {
  OpCase made;
  const Shape shape{random.integer(1, 70)};
  made.op.inputs = {add(made, "batch", shape, DType::I32, RegionKind::BATCH_B)};
  made.op.outputs = {add(made, "labels", shape, DType::I32)};
  return made;
}

OpCase lr_from_table(TestRandom& random) {
  OpCase made;
  made.op.inputs = {
      add(made, "table", Shape{random.integer(4, 20)}, DType::F32, RegionKind::SCHEDULE),
      add(made, "counter", Shape{}, DType::I64, RegionKind::SCALARS)};
  made.op.outputs = {add(made, "lr", Shape{}, DType::F32, RegionKind::SCALARS)};
  return made;
}

OpCase scalar_increment(TestRandom& /*random*/) {
  OpCase made;
  made.op.outputs = {add(made, "counter", Shape{}, DType::I64, RegionKind::SCALARS)};
  return made;
}

OpCase flatten(TestRandom& random) {
  OpCase made;
  const TensorId x = add(made, "X", random_images(random));
  const Shape& shape = made.tensors[x].shape;
  Tensor view;
  view.name = "Y";
  view.shape = Shape{shape.dim(0), shape.elements() / shape.dim(0)};
  view.view_of = x;
  made.op.inputs = {x};
  made.op.outputs = {made.tensors.add(view)};
  return made;
}

OpCase host_fill_batch(TestRandom& random) {
  OpCase made;
  const Shape images = random_images(random);
  made.op.outputs = {
      add(made, "images", images, DType::F32, RegionKind::HOST_BATCH_A),
      add(made, "labels", Shape{images.dim(0)}, DType::I32, RegionKind::HOST_BATCH_A)};
  return made;
}

OpCase host_write_lr(TestRandom& /*random*/) {
  OpCase made;
  made.op.outputs = {add(made, "lr", Shape{}, DType::F32, RegionKind::HOST_SCALARS)};
  return made;
}

OpCase host_read_results(TestRandom& /*random*/) {
  OpCase made;
  made.op.inputs = {add(made, "result", Shape{2}, DType::F64, RegionKind::HOST_RESULTS)};
  return made;
}

OpCase range_clear(TestRandom& random) {
  OpCase made;
  add_layout(made, random, {RegionKind::FIRST_GRADIENTS, RegionKind::DEEP_GRADIENTS});
  return made;
}

OpCase range_sgd(TestRandom& random) {
  OpCase made;
  add_layout(made, random,
             {RegionKind::DEEP_WEIGHTS, RegionKind::DEEP_GRADIENTS, RegionKind::DEEP_MOMENTUM});
  made.op.inputs = {add(made, "lr", Shape{}, DType::F32, RegionKind::SCALARS)};
  if (random.integer(0, 1) == 1)
    made.op.inputs.push_back(add(made, "found_inf", Shape{1}, DType::I32, RegionKind::SCALARS));
  SgdHyper hyper;
  hyper.momentum = static_cast<float>(random.real(0, 1));
  hyper.weight_decay = random.integer(0, 1) == 0 ? 0.0F : 0.125F;
  hyper.nesterov = random.integer(0, 1) == 0;
  made.op.attributes = hyper;
  return made;
}

constexpr CaseMaker kOpMakers[] = {
    {ComputeOp::H2D_COPY, h2d_copy},
    {ComputeOp::STAGE_LABELS, stage_labels},
    {ComputeOp::LR_FROM_TABLE, lr_from_table},
    {ComputeOp::FLATTEN, flatten},
    {ComputeOp::FC_FP32_FWD, fc_fwd},
    {ComputeOp::FC_FP32_BWD, fc_bwd},
    {ComputeOp::FC_FP32_BWD_FIRST_LAYER, fc_bwd_first_layer},
    {ComputeOp::CONV_FP32_FWD, conv_fwd},
    {ComputeOp::CONV_FP32_BWD, conv_bwd},
    {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, conv_bwd_first_layer},
    {ComputeOp::MAXPOOL_FP32_FWD, maxpool_fwd},
    {ComputeOp::MAXPOOL_FP32_BWD, maxpool_bwd},
    {ComputeOp::RELU_FP32_FWD, relu_fwd},
    {ComputeOp::RELU_FP32_BWD, relu_bwd},
    {ComputeOp::SOFTMAX_CE_FP32_FWD, softmax_ce_fwd},
    {ComputeOp::SOFTMAX_CE_FP32_BWD, softmax_ce_bwd},
    {ComputeOp::METRICS, metrics},
    {ComputeOp::SCALAR_INCREMENT, scalar_increment},
    {ComputeOp::HOST_FILL_BATCH, host_fill_batch},
    {ComputeOp::HOST_WRITE_LR, host_write_lr},
    {ComputeOp::HOST_READ_RESULTS, host_read_results},
    {RangeOp::RANGE_CLEAR, range_clear},
    {RangeOp::RANGE_SGD_UPDATE, range_sgd},
};

const CaseMaker* maker_of(OpKind kind) {
  for (const std::span<const CaseMaker> makers :
       {std::span<const CaseMaker>(kOpMakers), layer_case_makers(), update_case_makers()}) {
    const auto found = std::find_if(makers.begin(), makers.end(), [&](const CaseMaker& candidate) {
      return candidate.kind == kind;
    });
    if (found != makers.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

std::optional<OpCase> make_op_case(OpKind kind, TestRandom& random) {
  const std::optional<OpKind> twin = fp32_twin_of(kind);
  const CaseMaker* const maker = maker_of(twin.value_or(kind));
  if (maker == nullptr) return std::nullopt;
  OpCase made = maker->make(random);
  made.op.kind = kind;
  if (twin) made = in_amp(made, kind);
  made.op.layer = "layer";
  return made;
}

std::string text_of(const OpCase& op_case) {
  std::string text(name_of(op_case.op.kind));
  for (const Tensor& tensor : op_case.tensors.all())
    text += " " + tensor.name + "=" + tensor.shape.text();
  if (const auto* window = std::get_if<Window>(&op_case.op.attributes)) {
    text += " kernel " + std::to_string(window->kernel_h) + "x" + std::to_string(window->kernel_w) +
            " stride " + std::to_string(window->stride_h) + "x" + std::to_string(window->stride_w) +
            " pad " + std::to_string(window->pad_h) + "x" + std::to_string(window->pad_w);
  }
  return text;
}

}  // namespace quintet
