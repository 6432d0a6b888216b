#include "runtime/ops/op_catalog.h"

#include <fmt/format.h>
#include <string>

#include "runtime/ops/activation.h"
#include "runtime/ops/adam.h"
#include "runtime/ops/add.h"
#include "runtime/ops/avgpool.h"
#include "runtime/ops/batch_norm.h"
#include "runtime/ops/batch_norm_stats.h"
#include "runtime/ops/conv.h"
#include "runtime/ops/copy.h"
#include "runtime/ops/dropout.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/flatten.h"
#include "runtime/ops/gap.h"
#include "runtime/ops/host_tasks.h"
#include "runtime/ops/lars.h"
#include "runtime/ops/learning_rate.h"
#include "runtime/ops/loss_scale.h"
#include "runtime/ops/maxpool.h"
#include "runtime/ops/metrics.h"
#include "runtime/ops/range_cast.h"
#include "runtime/ops/range_clear.h"
#include "runtime/ops/range_ema.h"
#include "runtime/ops/range_sgd.h"
#include "runtime/ops/relu.h"
#include "runtime/ops/softmax_ce.h"

namespace quintet {

namespace {

constexpr bool kView = true;

constexpr OpDefinition kOpCatalog[] = {
    {ComputeOp::H2D_COPY, !kView, lower_copy},
    {ComputeOp::STAGE_LABELS, !kView, lower_copy},
    {ComputeOp::LR_FROM_TABLE, !kView, lower_lr_from_table},
    {ComputeOp::FLATTEN, kView, lower_flatten},
    {ComputeOp::FC_FP32_FWD, !kView, lower_fc_fwd},
    {ComputeOp::FC_FP32_BWD, !kView, lower_fc_bwd},
    {ComputeOp::FC_FP32_BWD_FIRST_LAYER, !kView, lower_fc_bwd_first_layer},
    {ComputeOp::FC_AMP_FWD, !kView, lower_fc_fwd},
    {ComputeOp::FC_AMP_BWD, !kView, lower_fc_bwd},
    {ComputeOp::FC_AMP_BWD_FIRST_LAYER, !kView, lower_fc_bwd_first_layer},
    {ComputeOp::CONV_FP32_FWD, !kView, lower_conv_fwd},
    {ComputeOp::CONV_FP32_BWD, !kView, lower_conv_bwd},
    {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, !kView, lower_conv_bwd_first_layer},
    {ComputeOp::CONV_AMP_FWD, !kView, lower_conv_fwd},
    {ComputeOp::CONV_AMP_BWD, !kView, lower_conv_bwd},
    {ComputeOp::CONV_AMP_BWD_FIRST_LAYER, !kView, lower_conv_bwd_first_layer},
    {ComputeOp::BN1D_FP32_FWD, !kView, lower_batch_norm_fwd},
    {ComputeOp::BN1D_FP32_BWD, !kView, lower_batch_norm_bwd},
    {ComputeOp::BN1D_FP32_INF, !kView, lower_batch_norm_inf},
    {ComputeOp::BN1D_AMP_FWD, !kView, lower_batch_norm_fwd},
    {ComputeOp::BN1D_AMP_BWD, !kView, lower_batch_norm_bwd},
    {ComputeOp::BN1D_AMP_INF, !kView, lower_batch_norm_inf},
    {ComputeOp::BN2D_FP32_FWD, !kView, lower_batch_norm_fwd},
    {ComputeOp::BN2D_FP32_BWD, !kView, lower_batch_norm_bwd},
    {ComputeOp::BN2D_FP32_INF, !kView, lower_batch_norm_inf},
    {ComputeOp::BN2D_AMP_FWD, !kView, lower_batch_norm_fwd},
    {ComputeOp::BN2D_AMP_BWD, !kView, lower_batch_norm_bwd},
    {ComputeOp::BN2D_AMP_INF, !kView, lower_batch_norm_inf},
    {ComputeOp::MAXPOOL_FP32_FWD, !kView, lower_maxpool_fwd},
    {ComputeOp::MAXPOOL_FP32_BWD, !kView, lower_maxpool_bwd},
    {ComputeOp::MAXPOOL_AMP_FWD, !kView, lower_maxpool_fwd},
    {ComputeOp::MAXPOOL_AMP_BWD, !kView, lower_maxpool_bwd},
    {ComputeOp::AVGPOOL_FP32_FWD, !kView, lower_avgpool_fwd},
    {ComputeOp::AVGPOOL_FP32_BWD, !kView, lower_avgpool_bwd},
    {ComputeOp::AVGPOOL_AMP_FWD, !kView, lower_avgpool_fwd},
    {ComputeOp::AVGPOOL_AMP_BWD, !kView, lower_avgpool_bwd},
    {ComputeOp::GAP_FP32_FWD, !kView, lower_gap_fwd},
    {ComputeOp::GAP_FP32_BWD, !kView, lower_gap_bwd},
    {ComputeOp::GAP_AMP_FWD, !kView, lower_gap_fwd},
    {ComputeOp::GAP_AMP_BWD, !kView, lower_gap_bwd},
    {ComputeOp::DROPOUT_FP32_FWD, !kView, lower_dropout_fwd},
    {ComputeOp::DROPOUT_FP32_BWD, !kView, lower_dropout_bwd},
    {ComputeOp::DROPOUT_AMP_FWD, !kView, lower_dropout_fwd},
    {ComputeOp::DROPOUT_AMP_BWD, !kView, lower_dropout_bwd},
    {ComputeOp::RELU_FP32_FWD, !kView, lower_relu_fwd},
    {ComputeOp::RELU_FP32_BWD, !kView, lower_relu_bwd},
    {ComputeOp::RELU_AMP_FWD, !kView, lower_relu_fwd},
    {ComputeOp::RELU_AMP_BWD, !kView, lower_relu_bwd},
    {ComputeOp::TANH_FP32_FWD, !kView, lower_activation_fwd},
    {ComputeOp::TANH_FP32_BWD, !kView, lower_activation_bwd},
    {ComputeOp::TANH_AMP_FWD, !kView, lower_activation_fwd},
    {ComputeOp::TANH_AMP_BWD, !kView, lower_activation_bwd},
    {ComputeOp::SILU_FP32_FWD, !kView, lower_activation_fwd},
    {ComputeOp::SILU_FP32_BWD, !kView, lower_activation_bwd},
    {ComputeOp::SILU_AMP_FWD, !kView, lower_activation_fwd},
    {ComputeOp::SILU_AMP_BWD, !kView, lower_activation_bwd},
    {ComputeOp::RELU6_FP32_FWD, !kView, lower_activation_fwd},
    {ComputeOp::RELU6_FP32_BWD, !kView, lower_activation_bwd},
    {ComputeOp::RELU6_AMP_FWD, !kView, lower_activation_fwd},
    {ComputeOp::RELU6_AMP_BWD, !kView, lower_activation_bwd},
    {ComputeOp::LEAKY_RELU_FP32_FWD, !kView, lower_activation_fwd},
    {ComputeOp::LEAKY_RELU_FP32_BWD, !kView, lower_activation_bwd},
    {ComputeOp::LEAKY_RELU_AMP_FWD, !kView, lower_activation_fwd},
    {ComputeOp::LEAKY_RELU_AMP_BWD, !kView, lower_activation_bwd},
    {ComputeOp::SIGMOID_FP32_FWD, !kView, lower_activation_fwd},
    {ComputeOp::SIGMOID_FP32_BWD, !kView, lower_activation_bwd},
    {ComputeOp::SIGMOID_AMP_FWD, !kView, lower_activation_fwd},
    {ComputeOp::SIGMOID_AMP_BWD, !kView, lower_activation_bwd},
    {ComputeOp::HARDSWISH_FP32_FWD, !kView, lower_activation_fwd},
    {ComputeOp::HARDSWISH_FP32_BWD, !kView, lower_activation_bwd},
    {ComputeOp::HARDSWISH_AMP_FWD, !kView, lower_activation_fwd},
    {ComputeOp::HARDSWISH_AMP_BWD, !kView, lower_activation_bwd},
    {ComputeOp::ELU_FP32_FWD, !kView, lower_activation_fwd},
    {ComputeOp::ELU_FP32_BWD, !kView, lower_activation_bwd},
    {ComputeOp::ELU_AMP_FWD, !kView, lower_activation_fwd},
    {ComputeOp::ELU_AMP_BWD, !kView, lower_activation_bwd},
    {ComputeOp::ADD_FP32_FWD, !kView, lower_add_fwd},
    {ComputeOp::ADD_FP32_BWD, !kView, lower_add_bwd},
    {ComputeOp::ADD_AMP_FWD, !kView, lower_add_fwd},
    {ComputeOp::ADD_AMP_BWD, !kView, lower_add_bwd},
    {ComputeOp::SOFTMAX_CE_FP32_FWD, !kView, lower_softmax_ce_fwd},
    {ComputeOp::SOFTMAX_CE_FP32_BWD, !kView, lower_softmax_ce_bwd},
    {ComputeOp::SOFTMAX_CE_AMP_FWD, !kView, lower_softmax_ce_fwd},
    {ComputeOp::SOFTMAX_CE_AMP_BWD, !kView, lower_softmax_ce_bwd},
    {ComputeOp::METRICS, !kView, lower_metrics},
    {ComputeOp::SCALAR_INCREMENT, !kView, lower_scalar_increment},
    {ComputeOp::LOSS_SCALE_UPDATE, !kView, lower_loss_scale_update},
    {ComputeOp::ADAM_BIAS_CORRECTION, !kView, lower_adam_bias_correction},
    {ComputeOp::BN_UPDATE_EQ_PARAMS, !kView, lower_batch_norm_eq},
    {ComputeOp::LARS_UPDATE_FC, !kView, lower_lars},
    {ComputeOp::LARS_UPDATE_FIRST, !kView, lower_lars},
    {ComputeOp::LARS_UPDATE_DEEP, !kView, lower_lars},
    {ComputeOp::HOST_FILL_BATCH, !kView, lower_host_task},
    {ComputeOp::HOST_WRITE_LR, !kView, lower_host_task},
    {ComputeOp::HOST_READ_RESULTS, !kView, lower_host_task},
    {RangeOp::RANGE_CLEAR, !kView, lower_range_clear},
    {RangeOp::RANGE_CAST_FP32_TO_FP16, !kView, lower_cast_to_fp16},
    {RangeOp::RANGE_CAST_FP16_TO_FP32, !kView, lower_cast_to_fp32},
    {RangeOp::RANGE_EMA_PARAM_UPDATE, !kView, lower_range_ema},
    {RangeOp::RANGE_CHECK_NAN, !kView, lower_check_nan},
    {RangeOp::RANGE_SGD_UPDATE, !kView, lower_range_sgd},
    {RangeOp::RANGE_ADAM_UPDATE, !kView, lower_range_adam},
    {RangeOp::RANGE_ADAMW_UPDATE, !kView, lower_range_adam},
    {RangeOp::RANGE_SCALE_GRADIENTS, !kView, lower_scale_gradients},
    {RangeOp::RANGE_BN_STATS_UPDATE, !kView, lower_range_bn_stats},
};

}  // namespace

std::span<const OpDefinition> op_catalog() {
  return kOpCatalog;
}

Result<const OpDefinition*> find_op(OpKind kind) {
  std::string implemented;
  for (const OpDefinition& definition : kOpCatalog) {
    if (definition.kind == kind) return &definition;
    if (!implemented.empty()) implemented += ", ";
    implemented += name_of(definition.kind);
  }
  return fail(fmt::format("op {} is not implemented", name_of(kind)),
              fmt::format("use one of {}", implemented));
}

}  // namespace quintet
