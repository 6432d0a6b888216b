/// Every kind of op that a network or a policy may name. A ComputeOp works on tensors, a RangeOp on
/// whole memory regions. A kind listed here need not be implemented yet: the op catalog says which
/// are, and asking for another is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace quintet {

enum class ComputeOp : std::uint8_t {
  H2D_COPY,      ///< host region to device region: images, labels, the learning rate
  STAGE_LABELS,  ///< labels of the A or B batch to the place the trunk reads, so that the trunk has
                 ///< no A/B twin
  LR_FROM_TABLE,  ///< whole_step's learning rate: table entry at the step counter
  FLATTEN,        ///< a view: NHWC to N x (HWC), no task
  FC_FP32_FWD,
  FC_FP32_BWD,
  FC_FP32_BWD_FIRST_LAYER,
  FC_AMP_FWD,
  FC_AMP_BWD,
  FC_AMP_BWD_FIRST_LAYER,
  CONV_FP32_FWD,
  CONV_FP32_BWD,
  CONV_FP32_BWD_FIRST_LAYER,
  CONV_AMP_FWD,
  CONV_AMP_BWD,
  CONV_AMP_BWD_FIRST_LAYER,
  BN1D_FP32_FWD,
  BN1D_FP32_BWD,
  BN1D_FP32_INF,
  BN1D_AMP_FWD,
  BN1D_AMP_BWD,
  BN1D_AMP_INF,
  BN2D_FP32_FWD,
  BN2D_FP32_BWD,
  BN2D_FP32_INF,
  BN2D_AMP_FWD,
  BN2D_AMP_BWD,
  BN2D_AMP_INF,
  MAXPOOL_FP32_FWD,
  MAXPOOL_FP32_BWD,
  MAXPOOL_AMP_FWD,
  MAXPOOL_AMP_BWD,
  AVGPOOL_FP32_FWD,
  AVGPOOL_FP32_BWD,
  AVGPOOL_AMP_FWD,
  AVGPOOL_AMP_BWD,
  GAP_FP32_FWD,
  GAP_FP32_BWD,
  GAP_AMP_FWD,
  GAP_AMP_BWD,
  DROPOUT_FP32_FWD,
  DROPOUT_FP32_BWD,
  DROPOUT_AMP_FWD,
  DROPOUT_AMP_BWD,
  RELU_FP32_FWD,
  RELU_FP32_BWD,
  RELU_AMP_FWD,
  RELU_AMP_BWD,
  TANH_FP32_FWD,
  TANH_FP32_BWD,
  TANH_AMP_FWD,
  TANH_AMP_BWD,
  SILU_FP32_FWD,
  SILU_FP32_BWD,
  SILU_AMP_FWD,
  SILU_AMP_BWD,
  RELU6_FP32_FWD,
  RELU6_FP32_BWD,
  RELU6_AMP_FWD,
  RELU6_AMP_BWD,
  LEAKY_RELU_FP32_FWD,
  LEAKY_RELU_FP32_BWD,
  LEAKY_RELU_AMP_FWD,
  LEAKY_RELU_AMP_BWD,
  SIGMOID_FP32_FWD,
  SIGMOID_FP32_BWD,
  SIGMOID_AMP_FWD,
  SIGMOID_AMP_BWD,
  HARDSWISH_FP32_FWD,
  HARDSWISH_FP32_BWD,
  HARDSWISH_AMP_FWD,
  HARDSWISH_AMP_BWD,
  ELU_FP32_FWD,
  ELU_FP32_BWD,
  ELU_AMP_FWD,
  ELU_AMP_BWD,
  ADD_FP32_FWD,
  ADD_FP32_BWD,
  ADD_AMP_FWD,
  ADD_AMP_BWD,
  SOFTMAX_CE_FP32_FWD,
  SOFTMAX_CE_FP32_BWD,
  SOFTMAX_CE_AMP_FWD,
  SOFTMAX_CE_AMP_BWD,
  METRICS,            ///< mean loss and hit count of a step to the pinned results
  SCALAR_INCREMENT,   ///< the device step counter
  LOSS_SCALE_UPDATE,  ///< AMP: halves the loss scale after an overflow, doubles it after a run of
                      ///< good steps
  ADAM_BIAS_CORRECTION,
  BN_UPDATE_EQ_PARAMS,
  LARS_UPDATE_FC,
  LARS_UPDATE_FIRST,
  LARS_UPDATE_DEEP,
  HOST_FILL_BATCH,    ///< host task: the loader writes a pinned batch
  HOST_WRITE_LR,      ///< host task: the learning rate of a step into its pinned slot
  HOST_READ_RESULTS,  ///< host task: loss and hits of a finished step out of their pinned slot
};

enum class RangeOp : std::uint8_t {
  RANGE_CLEAR,
  RANGE_CAST_FP32_TO_FP16,
  RANGE_CAST_FP16_TO_FP32,
  RANGE_EMA_PARAM_UPDATE,
  RANGE_CHECK_NAN,
  RANGE_SUM_ALLREDUCE,
  RANGE_BN_STATS_ALLREDUCE,
  RANGE_SGD_UPDATE,
  RANGE_ADAM_UPDATE,
  RANGE_ADAMW_UPDATE,
  RANGE_SCALE_GRADIENTS,
  RANGE_BN_STATS_UPDATE,
};

using OpKind = std::variant<ComputeOp, RangeOp>;

/// The name as the field and the policy files write it, e.g. "CONV_FP32_BWD".
std::string_view name_of(OpKind kind);
/// The kind of that name, or nothing.
std::optional<OpKind> op_kind_from_name(std::string_view name);
/// Every kind, ComputeOps first, in the order of the enums.
std::vector<OpKind> all_op_kinds();
/// True for the kinds that a host actor runs; they need no stream.
bool runs_on_host(OpKind kind);

}  // namespace quintet
