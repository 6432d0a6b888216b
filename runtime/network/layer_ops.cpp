#include "runtime/network/layer_ops.h"

#include <fmt/format.h>

#include "runtime/ops/activation.h"
#include "runtime/ops/avgpool.h"
#include "runtime/ops/conv.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/flatten.h"
#include "runtime/ops/gap.h"
#include "runtime/ops/maxpool.h"

namespace quintet {

namespace {

using C = ComputeOp;

/// Forward and backward of one kind of layer in both precisions.
struct Kinds {
  ComputeOp fp32_forward, fp32_backward, amp_forward, amp_backward;
};

LayerOps pair_of(const Kinds& kinds, Precision precision) {
  const bool amp = precision == Precision::amp;
  const OpKind forward = amp ? kinds.amp_forward : kinds.fp32_forward;
  return {forward, forward, OpKind(amp ? kinds.amp_backward : kinds.fp32_backward), std::nullopt};
}

Kinds activation_kinds(ActivationKind kind) {
  switch (kind) {
    case ActivationKind::relu:
      return {C::RELU_FP32_FWD, C::RELU_FP32_BWD, C::RELU_AMP_FWD, C::RELU_AMP_BWD};
    case ActivationKind::relu6:
      return {C::RELU6_FP32_FWD, C::RELU6_FP32_BWD, C::RELU6_AMP_FWD, C::RELU6_AMP_BWD};
    case ActivationKind::leaky_relu:
      return {C::LEAKY_RELU_FP32_FWD, C::LEAKY_RELU_FP32_BWD, C::LEAKY_RELU_AMP_FWD,
              C::LEAKY_RELU_AMP_BWD};
    case ActivationKind::tanh:
      return {C::TANH_FP32_FWD, C::TANH_FP32_BWD, C::TANH_AMP_FWD, C::TANH_AMP_BWD};
    case ActivationKind::silu:
      return {C::SILU_FP32_FWD, C::SILU_FP32_BWD, C::SILU_AMP_FWD, C::SILU_AMP_BWD};
    case ActivationKind::sigmoid:
      return {C::SIGMOID_FP32_FWD, C::SIGMOID_FP32_BWD, C::SIGMOID_AMP_FWD, C::SIGMOID_AMP_BWD};
    case ActivationKind::hardswish:
      return {C::HARDSWISH_FP32_FWD, C::HARDSWISH_FP32_BWD, C::HARDSWISH_AMP_FWD,
              C::HARDSWISH_AMP_BWD};
    case ActivationKind::elu:
      return {C::ELU_FP32_FWD, C::ELU_FP32_BWD, C::ELU_AMP_FWD, C::ELU_AMP_BWD};
  }
  return {};
}

/// The ops of each kind of layer; a new kind of layer that is missing here does not compile.
struct OpsOf {
  Precision precision;
  bool image;

  LayerOps operator()(const ConvLayer&) const {
    LayerOps ops =
        pair_of({C::CONV_FP32_FWD, C::CONV_FP32_BWD, C::CONV_AMP_FWD, C::CONV_AMP_BWD}, precision);
    ops.backward_first =
        precision == Precision::amp ? C::CONV_AMP_BWD_FIRST_LAYER : C::CONV_FP32_BWD_FIRST_LAYER;
    return ops;
  }
  LayerOps operator()(const FcLayer&) const {
    LayerOps ops =
        pair_of({C::FC_FP32_FWD, C::FC_FP32_BWD, C::FC_AMP_FWD, C::FC_AMP_BWD}, precision);
    ops.backward_first =
        precision == Precision::amp ? C::FC_AMP_BWD_FIRST_LAYER : C::FC_FP32_BWD_FIRST_LAYER;
    return ops;
  }
  LayerOps operator()(const BatchNormLayer&) const {
    const bool amp = precision == Precision::amp;
    LayerOps ops =
        image ? pair_of({C::BN2D_FP32_FWD, C::BN2D_FP32_BWD, C::BN2D_AMP_FWD, C::BN2D_AMP_BWD},
                        precision)
              : pair_of({C::BN1D_FP32_FWD, C::BN1D_FP32_BWD, C::BN1D_AMP_FWD, C::BN1D_AMP_BWD},
                        precision);
    if (image) {
      ops.inference = amp ? C::BN2D_AMP_INF : C::BN2D_FP32_INF;
    } else {
      ops.inference = amp ? C::BN1D_AMP_INF : C::BN1D_FP32_INF;
    }
    return ops;
  }
  LayerOps operator()(const ActivationLayer& layer) const {
    return pair_of(activation_kinds(layer.kind), precision);
  }
  LayerOps operator()(const MaxPoolLayer&) const {
    return pair_of(
        {C::MAXPOOL_FP32_FWD, C::MAXPOOL_FP32_BWD, C::MAXPOOL_AMP_FWD, C::MAXPOOL_AMP_BWD},
        precision);
  }
  LayerOps operator()(const AvgPoolLayer&) const {
    return pair_of(
        {C::AVGPOOL_FP32_FWD, C::AVGPOOL_FP32_BWD, C::AVGPOOL_AMP_FWD, C::AVGPOOL_AMP_BWD},
        precision);
  }
  LayerOps operator()(const GlobalAvgPoolLayer&) const {
    return pair_of({C::GAP_FP32_FWD, C::GAP_FP32_BWD, C::GAP_AMP_FWD, C::GAP_AMP_BWD}, precision);
  }
  LayerOps operator()(const FlattenLayer&) const {
    return {C::FLATTEN, C::FLATTEN, std::nullopt, std::nullopt};
  }
  LayerOps operator()(const AddLayer&) const {
    const OpKind forward = precision == Precision::amp ? C::ADD_AMP_FWD : C::ADD_FP32_FWD;
    return {forward, forward, std::nullopt, std::nullopt};
  }
  LayerOps operator()(const DropoutLayer&) const {
    return pair_of(
        {C::DROPOUT_FP32_FWD, C::DROPOUT_FP32_BWD, C::DROPOUT_AMP_FWD, C::DROPOUT_AMP_BWD},
        precision);
  }
};

struct OutputShapeOf {
  const Shape& input;

  Result<Shape> operator()(const ConvLayer& layer) const {
    return conv_output_shape(input, layer.window, layer.out_channels);
  }
  Result<Shape> operator()(const FcLayer& layer) const {
    return fc_output_shape(input, layer.out_features);
  }
  Result<Shape> operator()(const MaxPoolLayer& layer) const {
    return pool_output_shape(input, layer.window);
  }
  Result<Shape> operator()(const AvgPoolLayer& layer) const {
    return avgpool_output_shape(input, layer.window);
  }
  Result<Shape> operator()(const GlobalAvgPoolLayer&) const { return gap_output_shape(input); }
  Result<Shape> operator()(const FlattenLayer&) const { return flatten_output_shape(input); }
  Result<Shape> operator()(const BatchNormLayer&) const { return input; }
  Result<Shape> operator()(const ActivationLayer&) const { return input; }
  Result<Shape> operator()(const AddLayer&) const { return input; }
  Result<Shape> operator()(const DropoutLayer&) const { return input; }
};

}  // namespace

LayerOps ops_of(const LayerKind& kind, Precision precision, bool image) {
  return std::visit(OpsOf{precision, image}, kind);
}

bool has_weights(const LayerKind& kind) {
  return std::holds_alternative<ConvLayer>(kind) || std::holds_alternative<FcLayer>(kind);
}

Result<Shape> output_shape(const Layer& layer, const Shape& input) {
  Result<Shape> shape = std::visit(OutputShapeOf{input}, layer.kind);
  if (shape) return shape;
  Error error = shape.error();
  error.message = fmt::format("layer '{}': {}", layer.name, error.message);
  return tl::unexpected(error);
}

std::optional<SavedTensor> saved_by(const LayerKind& kind) {
  if (const auto* activation = std::get_if<ActivationLayer>(&kind)) {
    if (activation->kind == ActivationKind::relu) return SavedTensor{"/mask", DType::U8};
    const OpKind forward = activation_kinds(activation->kind).fp32_forward;
    const DType dtype = saved_dtype_of(*activation_of(forward));
    return SavedTensor{dtype == DType::U8 ? "/mask" : "/saved", dtype};
  }
  if (std::holds_alternative<MaxPoolLayer>(kind)) return SavedTensor{"/argmax", DType::U8};
  if (std::holds_alternative<DropoutLayer>(kind)) return SavedTensor{"/mask", DType::U8};
  return std::nullopt;
}

OpAttributes attributes_of(const LayerKind& kind, std::uint64_t seed) {
  if (const auto* conv = std::get_if<ConvLayer>(&kind)) return conv->window;
  if (const auto* pool = std::get_if<MaxPoolLayer>(&kind)) return pool->window;
  if (const auto* pool = std::get_if<AvgPoolLayer>(&kind)) return pool->window;
  if (const auto* norm = std::get_if<BatchNormLayer>(&kind)) return norm->hyper;
  if (const auto* dropout = std::get_if<DropoutLayer>(&kind)) {
    return DropoutHyper{dropout->probability, seed};
  }
  if (const auto* activation = std::get_if<ActivationLayer>(&kind)) {
    const bool sloped =
        activation->kind == ActivationKind::leaky_relu || activation->kind == ActivationKind::elu;
    if (sloped) return activation->slope;
  }
  return std::monostate{};
}

}  // namespace quintet
