#include "runtime/model/op_kind.h"

#include <array>
#include <utility>

namespace quintet {

namespace {

constexpr auto kKindNames = std::to_array<std::pair<OpKind, std::string_view>>({
    {ComputeOp::H2D_COPY, "H2D_COPY"},
    {ComputeOp::STAGE_LABELS, "STAGE_LABELS"},
    {ComputeOp::LR_FROM_TABLE, "LR_FROM_TABLE"},
    {ComputeOp::FLATTEN, "FLATTEN"},
    {ComputeOp::FC_FP32_FWD, "FC_FP32_FWD"},
    {ComputeOp::FC_FP32_BWD, "FC_FP32_BWD"},
    {ComputeOp::FC_FP32_BWD_FIRST_LAYER, "FC_FP32_BWD_FIRST_LAYER"},
    {ComputeOp::FC_AMP_FWD, "FC_AMP_FWD"},
    {ComputeOp::FC_AMP_BWD, "FC_AMP_BWD"},
    {ComputeOp::FC_AMP_BWD_FIRST_LAYER, "FC_AMP_BWD_FIRST_LAYER"},
    {ComputeOp::CONV_FP32_FWD, "CONV_FP32_FWD"},
    {ComputeOp::CONV_FP32_BWD, "CONV_FP32_BWD"},
    {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, "CONV_FP32_BWD_FIRST_LAYER"},
    {ComputeOp::CONV_AMP_FWD, "CONV_AMP_FWD"},
    {ComputeOp::CONV_AMP_BWD, "CONV_AMP_BWD"},
    {ComputeOp::CONV_AMP_BWD_FIRST_LAYER, "CONV_AMP_BWD_FIRST_LAYER"},
    {ComputeOp::BN1D_FP32_FWD, "BN1D_FP32_FWD"},
    {ComputeOp::BN1D_FP32_BWD, "BN1D_FP32_BWD"},
    {ComputeOp::BN1D_FP32_INF, "BN1D_FP32_INF"},
    {ComputeOp::BN1D_AMP_FWD, "BN1D_AMP_FWD"},
    {ComputeOp::BN1D_AMP_BWD, "BN1D_AMP_BWD"},
    {ComputeOp::BN1D_AMP_INF, "BN1D_AMP_INF"},
    {ComputeOp::BN2D_FP32_FWD, "BN2D_FP32_FWD"},
    {ComputeOp::BN2D_FP32_BWD, "BN2D_FP32_BWD"},
    {ComputeOp::BN2D_FP32_INF, "BN2D_FP32_INF"},
    {ComputeOp::BN2D_AMP_FWD, "BN2D_AMP_FWD"},
    {ComputeOp::BN2D_AMP_BWD, "BN2D_AMP_BWD"},
    {ComputeOp::BN2D_AMP_INF, "BN2D_AMP_INF"},
    {ComputeOp::MAXPOOL_FP32_FWD, "MAXPOOL_FP32_FWD"},
    {ComputeOp::MAXPOOL_FP32_BWD, "MAXPOOL_FP32_BWD"},
    {ComputeOp::MAXPOOL_AMP_FWD, "MAXPOOL_AMP_FWD"},
    {ComputeOp::MAXPOOL_AMP_BWD, "MAXPOOL_AMP_BWD"},
    {ComputeOp::AVGPOOL_FP32_FWD, "AVGPOOL_FP32_FWD"},
    {ComputeOp::AVGPOOL_FP32_BWD, "AVGPOOL_FP32_BWD"},
    {ComputeOp::AVGPOOL_AMP_FWD, "AVGPOOL_AMP_FWD"},
    {ComputeOp::AVGPOOL_AMP_BWD, "AVGPOOL_AMP_BWD"},
    {ComputeOp::GAP_FP32_FWD, "GAP_FP32_FWD"},
    {ComputeOp::GAP_FP32_BWD, "GAP_FP32_BWD"},
    {ComputeOp::GAP_AMP_FWD, "GAP_AMP_FWD"},
    {ComputeOp::GAP_AMP_BWD, "GAP_AMP_BWD"},
    {ComputeOp::DROPOUT_FP32_FWD, "DROPOUT_FP32_FWD"},
    {ComputeOp::DROPOUT_FP32_BWD, "DROPOUT_FP32_BWD"},
    {ComputeOp::DROPOUT_AMP_FWD, "DROPOUT_AMP_FWD"},
    {ComputeOp::DROPOUT_AMP_BWD, "DROPOUT_AMP_BWD"},
    {ComputeOp::RELU_FP32_FWD, "RELU_FP32_FWD"},
    {ComputeOp::RELU_FP32_BWD, "RELU_FP32_BWD"},
    {ComputeOp::RELU_AMP_FWD, "RELU_AMP_FWD"},
    {ComputeOp::RELU_AMP_BWD, "RELU_AMP_BWD"},
    {ComputeOp::TANH_FP32_FWD, "TANH_FP32_FWD"},
    {ComputeOp::TANH_FP32_BWD, "TANH_FP32_BWD"},
    {ComputeOp::TANH_AMP_FWD, "TANH_AMP_FWD"},
    {ComputeOp::TANH_AMP_BWD, "TANH_AMP_BWD"},
    {ComputeOp::SILU_FP32_FWD, "SILU_FP32_FWD"},
    {ComputeOp::SILU_FP32_BWD, "SILU_FP32_BWD"},
    {ComputeOp::SILU_AMP_FWD, "SILU_AMP_FWD"},
    {ComputeOp::SILU_AMP_BWD, "SILU_AMP_BWD"},
    {ComputeOp::RELU6_FP32_FWD, "RELU6_FP32_FWD"},
    {ComputeOp::RELU6_FP32_BWD, "RELU6_FP32_BWD"},
    {ComputeOp::RELU6_AMP_FWD, "RELU6_AMP_FWD"},
    {ComputeOp::RELU6_AMP_BWD, "RELU6_AMP_BWD"},
    {ComputeOp::LEAKY_RELU_FP32_FWD, "LEAKY_RELU_FP32_FWD"},
    {ComputeOp::LEAKY_RELU_FP32_BWD, "LEAKY_RELU_FP32_BWD"},
    {ComputeOp::LEAKY_RELU_AMP_FWD, "LEAKY_RELU_AMP_FWD"},
    {ComputeOp::LEAKY_RELU_AMP_BWD, "LEAKY_RELU_AMP_BWD"},
    {ComputeOp::SIGMOID_FP32_FWD, "SIGMOID_FP32_FWD"},
    {ComputeOp::SIGMOID_FP32_BWD, "SIGMOID_FP32_BWD"},
    {ComputeOp::SIGMOID_AMP_FWD, "SIGMOID_AMP_FWD"},
    {ComputeOp::SIGMOID_AMP_BWD, "SIGMOID_AMP_BWD"},
    {ComputeOp::HARDSWISH_FP32_FWD, "HARDSWISH_FP32_FWD"},
    {ComputeOp::HARDSWISH_FP32_BWD, "HARDSWISH_FP32_BWD"},
    {ComputeOp::HARDSWISH_AMP_FWD, "HARDSWISH_AMP_FWD"},
    {ComputeOp::HARDSWISH_AMP_BWD, "HARDSWISH_AMP_BWD"},
    {ComputeOp::ELU_FP32_FWD, "ELU_FP32_FWD"},
    {ComputeOp::ELU_FP32_BWD, "ELU_FP32_BWD"},
    {ComputeOp::ELU_AMP_FWD, "ELU_AMP_FWD"},
    {ComputeOp::ELU_AMP_BWD, "ELU_AMP_BWD"},
    {ComputeOp::ADD_FP32_FWD, "ADD_FP32_FWD"},
    {ComputeOp::ADD_FP32_BWD, "ADD_FP32_BWD"},
    {ComputeOp::ADD_AMP_FWD, "ADD_AMP_FWD"},
    {ComputeOp::ADD_AMP_BWD, "ADD_AMP_BWD"},
    {ComputeOp::SOFTMAX_CE_FP32_FWD, "SOFTMAX_CE_FP32_FWD"},
    {ComputeOp::SOFTMAX_CE_FP32_BWD, "SOFTMAX_CE_FP32_BWD"},
    {ComputeOp::SOFTMAX_CE_AMP_FWD, "SOFTMAX_CE_AMP_FWD"},
    {ComputeOp::SOFTMAX_CE_AMP_BWD, "SOFTMAX_CE_AMP_BWD"},
    {ComputeOp::METRICS, "METRICS"},
    {ComputeOp::SCALAR_INCREMENT, "SCALAR_INCREMENT"},
    {ComputeOp::LOSS_SCALE_UPDATE, "LOSS_SCALE_UPDATE"},
    {ComputeOp::ADAM_BIAS_CORRECTION, "ADAM_BIAS_CORRECTION"},
    {ComputeOp::BN_UPDATE_EQ_PARAMS, "BN_UPDATE_EQ_PARAMS"},
    {ComputeOp::LARS_UPDATE_FC, "LARS_UPDATE_FC"},
    {ComputeOp::LARS_UPDATE_FIRST, "LARS_UPDATE_FIRST"},
    {ComputeOp::LARS_UPDATE_DEEP, "LARS_UPDATE_DEEP"},
    {ComputeOp::HOST_FILL_BATCH, "HOST_FILL_BATCH"},
    {ComputeOp::HOST_WRITE_LR, "HOST_WRITE_LR"},
    {ComputeOp::HOST_READ_RESULTS, "HOST_READ_RESULTS"},
    {RangeOp::RANGE_CLEAR, "RANGE_CLEAR"},
    {RangeOp::RANGE_CAST_FP32_TO_FP16, "RANGE_CAST_FP32_TO_FP16"},
    {RangeOp::RANGE_CAST_FP16_TO_FP32, "RANGE_CAST_FP16_TO_FP32"},
    {RangeOp::RANGE_EMA_PARAM_UPDATE, "RANGE_EMA_PARAM_UPDATE"},
    {RangeOp::RANGE_CHECK_NAN, "RANGE_CHECK_NAN"},
    {RangeOp::RANGE_SUM_ALLREDUCE, "RANGE_SUM_ALLREDUCE"},
    {RangeOp::RANGE_BN_STATS_ALLREDUCE, "RANGE_BN_STATS_ALLREDUCE"},
    {RangeOp::RANGE_SGD_UPDATE, "RANGE_SGD_UPDATE"},
    {RangeOp::RANGE_ADAM_UPDATE, "RANGE_ADAM_UPDATE"},
    {RangeOp::RANGE_ADAMW_UPDATE, "RANGE_ADAMW_UPDATE"},
    {RangeOp::RANGE_SCALE_GRADIENTS, "RANGE_SCALE_GRADIENTS"},
    {RangeOp::RANGE_BN_STATS_UPDATE, "RANGE_BN_STATS_UPDATE"},
});

}  // namespace

std::string_view name_of(OpKind kind) {
  for (const auto& [known, name] : kKindNames) {
    if (known == kind) return name;
  }
  return {};
}

std::optional<OpKind> op_kind_from_name(std::string_view name) {
  for (const auto& [kind, known] : kKindNames) {
    if (known == name) return kind;
  }
  return std::nullopt;
}

std::vector<OpKind> all_op_kinds() {
  std::vector<OpKind> kinds;
  kinds.reserve(kKindNames.size());
  for (const auto& [kind, name] : kKindNames)
    kinds.push_back(kind);
  return kinds;
}

bool runs_on_host(OpKind kind) {
  return kind == OpKind(ComputeOp::HOST_FILL_BATCH) || kind == OpKind(ComputeOp::HOST_WRITE_LR) ||
         kind == OpKind(ComputeOp::HOST_READ_RESULTS);
}

}  // namespace quintet
