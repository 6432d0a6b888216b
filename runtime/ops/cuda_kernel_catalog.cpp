#include "runtime/ops/cuda_kernel_catalog.h"

#include <array>
#include <fmt/format.h>
#include <stdexcept>

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
#include "runtime/ops/fused_update.h"
#include "runtime/ops/gap.h"
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

constexpr CudaKernelEntry kCatalog[] = {
    {ComputeOp::H2D_COPY, TaskPart::copy, make_copy_cuda},
    {ComputeOp::STAGE_LABELS, TaskPart::copy, make_stage_labels_cuda},
    {ComputeOp::LR_FROM_TABLE, TaskPart::update, make_lr_from_table_cuda},
    {ComputeOp::FC_FP32_FWD, TaskPart::Y, make_fc_forward_cuda},
    {ComputeOp::FC_FP32_BWD, TaskPart::dW, make_fc_weight_gradient_cuda},
    {ComputeOp::FC_FP32_BWD, TaskPart::dB, make_fc_bias_gradient_cuda},
    {ComputeOp::FC_FP32_BWD, TaskPart::dX, make_fc_input_gradient_cuda},
    {ComputeOp::FC_FP32_BWD_FIRST_LAYER, TaskPart::dW, make_fc_weight_gradient_cuda},
    {ComputeOp::FC_FP32_BWD_FIRST_LAYER, TaskPart::dB, make_fc_bias_gradient_cuda},
    {ComputeOp::FC_AMP_FWD, TaskPart::Y, make_fc_forward_cuda},
    {ComputeOp::FC_AMP_BWD, TaskPart::dW, make_fc_weight_gradient_cuda},
    {ComputeOp::FC_AMP_BWD, TaskPart::dB, make_fc_bias_gradient_cuda},
    {ComputeOp::FC_AMP_BWD, TaskPart::dX, make_fc_input_gradient_cuda},
    {ComputeOp::FC_AMP_BWD_FIRST_LAYER, TaskPart::dW, make_fc_weight_gradient_cuda},
    {ComputeOp::FC_AMP_BWD_FIRST_LAYER, TaskPart::dB, make_fc_bias_gradient_cuda},
    {ComputeOp::CONV_FP32_FWD, TaskPart::Y, make_conv_forward_cuda},
    {ComputeOp::CONV_FP32_BWD, TaskPart::dW, make_conv_weight_gradient_cuda},
    {ComputeOp::CONV_FP32_BWD, TaskPart::dB, make_conv_bias_gradient_cuda},
    {ComputeOp::CONV_FP32_BWD, TaskPart::dX, make_conv_input_gradient_cuda},
    {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, TaskPart::dW, make_conv_weight_gradient_cuda},
    {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, TaskPart::dB, make_conv_bias_gradient_cuda},
    {ComputeOp::CONV_AMP_FWD, TaskPart::Y, make_conv_forward_cuda},
    {ComputeOp::CONV_AMP_BWD, TaskPart::dW, make_conv_weight_gradient_cuda},
    {ComputeOp::CONV_AMP_BWD, TaskPart::dB, make_conv_bias_gradient_cuda},
    {ComputeOp::CONV_AMP_BWD, TaskPart::dX, make_conv_input_gradient_cuda},
    {ComputeOp::CONV_AMP_BWD_FIRST_LAYER, TaskPart::dW, make_conv_weight_gradient_cuda},
    {ComputeOp::CONV_AMP_BWD_FIRST_LAYER, TaskPart::dB, make_conv_bias_gradient_cuda},
    {ComputeOp::BN1D_FP32_FWD, TaskPart::Y, make_batch_norm_forward_cuda},
    {ComputeOp::BN1D_FP32_BWD, TaskPart::dX, make_batch_norm_backward_cuda},
    {ComputeOp::BN1D_FP32_INF, TaskPart::Y, make_batch_norm_inference_cuda},
    {ComputeOp::BN1D_AMP_FWD, TaskPart::Y, make_batch_norm_forward_cuda},
    {ComputeOp::BN1D_AMP_BWD, TaskPart::dX, make_batch_norm_backward_cuda},
    {ComputeOp::BN1D_AMP_INF, TaskPart::Y, make_batch_norm_inference_cuda},
    {ComputeOp::BN2D_FP32_FWD, TaskPart::Y, make_batch_norm_forward_cuda},
    {ComputeOp::BN2D_FP32_BWD, TaskPart::dX, make_batch_norm_backward_cuda},
    {ComputeOp::BN2D_FP32_INF, TaskPart::Y, make_batch_norm_inference_cuda},
    {ComputeOp::BN2D_AMP_FWD, TaskPart::Y, make_batch_norm_forward_cuda},
    {ComputeOp::BN2D_AMP_BWD, TaskPart::dX, make_batch_norm_backward_cuda},
    {ComputeOp::BN2D_AMP_INF, TaskPart::Y, make_batch_norm_inference_cuda},
    {ComputeOp::MAXPOOL_FP32_FWD, TaskPart::Y, make_maxpool_forward_cuda},
    {ComputeOp::MAXPOOL_FP32_BWD, TaskPart::dX, make_maxpool_backward_cuda},
    {ComputeOp::MAXPOOL_AMP_FWD, TaskPart::Y, make_maxpool_forward_cuda},
    {ComputeOp::MAXPOOL_AMP_BWD, TaskPart::dX, make_maxpool_backward_cuda},
    {ComputeOp::AVGPOOL_FP32_FWD, TaskPart::Y, make_avgpool_forward_cuda},
    {ComputeOp::AVGPOOL_FP32_BWD, TaskPart::dX, make_avgpool_backward_cuda},
    {ComputeOp::AVGPOOL_AMP_FWD, TaskPart::Y, make_avgpool_forward_cuda},
    {ComputeOp::AVGPOOL_AMP_BWD, TaskPart::dX, make_avgpool_backward_cuda},
    {ComputeOp::GAP_FP32_FWD, TaskPart::Y, make_gap_forward_cuda},
    {ComputeOp::GAP_FP32_BWD, TaskPart::dX, make_gap_backward_cuda},
    {ComputeOp::GAP_AMP_FWD, TaskPart::Y, make_gap_forward_cuda},
    {ComputeOp::GAP_AMP_BWD, TaskPart::dX, make_gap_backward_cuda},
    {ComputeOp::DROPOUT_FP32_FWD, TaskPart::Y, make_dropout_forward_cuda},
    {ComputeOp::DROPOUT_FP32_BWD, TaskPart::dX, make_dropout_backward_cuda},
    {ComputeOp::DROPOUT_AMP_FWD, TaskPart::Y, make_dropout_forward_cuda},
    {ComputeOp::DROPOUT_AMP_BWD, TaskPart::dX, make_dropout_backward_cuda},
    {ComputeOp::RELU_FP32_FWD, TaskPart::Y, make_relu_forward_cuda},
    {ComputeOp::RELU_FP32_BWD, TaskPart::dX, make_relu_backward_cuda},
    {ComputeOp::RELU_AMP_FWD, TaskPart::Y, make_relu_forward_cuda},
    {ComputeOp::RELU_AMP_BWD, TaskPart::dX, make_relu_backward_cuda},
    {ComputeOp::TANH_FP32_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::TANH_FP32_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::TANH_AMP_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::TANH_AMP_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::SILU_FP32_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::SILU_FP32_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::SILU_AMP_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::SILU_AMP_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::RELU6_FP32_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::RELU6_FP32_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::RELU6_AMP_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::RELU6_AMP_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::LEAKY_RELU_FP32_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::LEAKY_RELU_FP32_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::LEAKY_RELU_AMP_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::LEAKY_RELU_AMP_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::SIGMOID_FP32_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::SIGMOID_FP32_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::SIGMOID_AMP_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::SIGMOID_AMP_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::HARDSWISH_FP32_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::HARDSWISH_FP32_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::HARDSWISH_AMP_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::HARDSWISH_AMP_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::ELU_FP32_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::ELU_FP32_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::ELU_AMP_FWD, TaskPart::Y, make_activation_forward_cuda},
    {ComputeOp::ELU_AMP_BWD, TaskPart::dX, make_activation_backward_cuda},
    {ComputeOp::ADD_FP32_FWD, TaskPart::Y, make_add_cuda},
    {ComputeOp::ADD_FP32_BWD, TaskPart::dX, make_add_cuda},
    {ComputeOp::ADD_AMP_FWD, TaskPart::Y, make_add_cuda},
    {ComputeOp::ADD_AMP_BWD, TaskPart::dX, make_add_cuda},
    {ComputeOp::SOFTMAX_CE_FP32_FWD, TaskPart::Y, make_softmax_ce_forward_cuda},
    {ComputeOp::SOFTMAX_CE_FP32_BWD, TaskPart::dX, make_softmax_ce_backward_cuda},
    {ComputeOp::SOFTMAX_CE_AMP_FWD, TaskPart::Y, make_softmax_ce_forward_cuda},
    {ComputeOp::SOFTMAX_CE_AMP_BWD, TaskPart::dX, make_softmax_ce_backward_cuda},
    {ComputeOp::METRICS, TaskPart::Y, make_metrics_cuda},
    {ComputeOp::SCALAR_INCREMENT, TaskPart::update, make_scalar_increment_cuda},
    {ComputeOp::LOSS_SCALE_UPDATE, TaskPart::update, make_loss_scale_update_cuda},
    {ComputeOp::ADAM_BIAS_CORRECTION, TaskPart::update, make_adam_bias_correction_cuda},
    {ComputeOp::LARS_UPDATE_FC, TaskPart::update, make_lars_cuda},
    {ComputeOp::LARS_UPDATE_FIRST, TaskPart::update, make_lars_cuda},
    {ComputeOp::LARS_UPDATE_DEEP, TaskPart::update, make_lars_cuda},
    {ComputeOp::BN_UPDATE_EQ_PARAMS, TaskPart::update, make_batch_norm_eq_cuda},
    {RangeOp::RANGE_CLEAR, TaskPart::clear, make_range_clear_cuda},
    {RangeOp::RANGE_CAST_FP32_TO_FP16, TaskPart::copy, make_cast_to_fp16_cuda},
    {RangeOp::RANGE_CAST_FP16_TO_FP32, TaskPart::update, make_cast_to_fp32_cuda},
    {RangeOp::RANGE_EMA_PARAM_UPDATE, TaskPart::update, make_range_ema_cuda},
    {RangeOp::RANGE_CHECK_NAN, TaskPart::update, make_check_nan_cuda},
    {RangeOp::RANGE_SGD_UPDATE, TaskPart::update, make_range_sgd_cuda},
    {RangeOp::RANGE_ADAM_UPDATE, TaskPart::update, make_range_adam_cuda},
    {RangeOp::RANGE_ADAMW_UPDATE, TaskPart::update, make_range_adamw_cuda},
    {RangeOp::RANGE_SCALE_GRADIENTS, TaskPart::update, make_scale_gradients_cuda},
    {RangeOp::RANGE_BN_STATS_UPDATE, TaskPart::update, make_range_bn_stats_cuda},
};

// The producer's own factory: it looks at what its task is fused with.
constexpr std::array kFused = std::to_array<FusedCudaKernelEntry>({
    {ComputeOp::FC_FP32_FWD, ComputeOp::RELU_FP32_FWD, make_fc_forward_cuda},
    {ComputeOp::FC_AMP_FWD, ComputeOp::RELU_AMP_FWD, make_fc_forward_cuda},
    {ComputeOp::CONV_FP32_FWD, ComputeOp::RELU_FP32_FWD, make_conv_forward_cuda},
    {ComputeOp::CONV_AMP_FWD, ComputeOp::RELU_AMP_FWD, make_conv_forward_cuda},
    {ComputeOp::BN1D_FP32_FWD, ComputeOp::RELU_FP32_FWD, make_batch_norm_forward_cuda},
    {ComputeOp::BN1D_AMP_FWD, ComputeOp::RELU_AMP_FWD, make_batch_norm_forward_cuda},
    {ComputeOp::BN1D_FP32_INF, ComputeOp::RELU_FP32_FWD, make_batch_norm_inference_cuda},
    {ComputeOp::BN1D_AMP_INF, ComputeOp::RELU_AMP_FWD, make_batch_norm_inference_cuda},
    {ComputeOp::BN2D_FP32_FWD, ComputeOp::RELU_FP32_FWD, make_batch_norm_forward_cuda},
    {ComputeOp::BN2D_AMP_FWD, ComputeOp::RELU_AMP_FWD, make_batch_norm_forward_cuda},
    {ComputeOp::BN2D_FP32_INF, ComputeOp::RELU_FP32_FWD, make_batch_norm_inference_cuda},
    {ComputeOp::BN2D_AMP_INF, ComputeOp::RELU_AMP_FWD, make_batch_norm_inference_cuda},
    {ComputeOp::ADD_FP32_FWD, ComputeOp::RELU_FP32_FWD, make_add_cuda},
    {ComputeOp::ADD_AMP_FWD, ComputeOp::RELU_AMP_FWD, make_add_cuda},
    {ComputeOp::FC_FP32_BWD, ComputeOp::RELU_FP32_BWD, make_fc_input_gradient_cuda},
    {ComputeOp::FC_AMP_BWD, ComputeOp::RELU_AMP_BWD, make_fc_input_gradient_cuda},
    {ComputeOp::SOFTMAX_CE_FP32_FWD, ComputeOp::SOFTMAX_CE_FP32_BWD, make_softmax_ce_forward_cuda},
    {ComputeOp::SOFTMAX_CE_AMP_FWD, ComputeOp::SOFTMAX_CE_AMP_BWD, make_softmax_ce_forward_cuda},
    {RangeOp::RANGE_SGD_UPDATE, RangeOp::RANGE_CAST_FP32_TO_FP16, make_fused_update_cuda},
});

/// The line for a task; nothing where there is none.
CudaKernelFactory factory_of(const Task& task) {
  if (task.fused_with) {
    for (const FusedCudaKernelEntry& entry : kFused) {
      if (entry.producer == task.kind && entry.consumer == task.fused_with->kind) return entry.make;
    }
    return nullptr;
  }
  for (const CudaKernelEntry& entry : kCatalog) {
    if (entry.kind == task.kind && entry.part == task.part) return entry.make;
  }
  return nullptr;
}

}  // namespace

std::span<const CudaKernelEntry> cuda_kernel_catalog() {
  return kCatalog;
}

std::span<const FusedCudaKernelEntry> fused_cuda_kernel_catalog() {
  return kFused;
}

Result<std::unique_ptr<CudaKernel>> make_cuda_kernel(const Task& task, const TensorTable& tensors,
                                                     KernelPlanner& planner) {
  const CudaKernelFactory make = factory_of(task);
  if (make == nullptr) {
    return fail(
        fmt::format("{} has no CUDA kernel for part {} of {}{}", task.name, name_of(task.part),
                    name_of(task.kind),
                    task.fused_with ? fmt::format(" with {}", name_of(task.fused_with->kind)) : ""),
        "add it to the CUDA kernel catalog");
  }
  try {
    return make(task, tensors, planner);
  } catch (const std::runtime_error& error) {
    return fail(fmt::format("{}: {}", task.name, error.what()), "change the layer's shape");
  }
}

}  // namespace quintet
