#include "runtime/ops/host_kernel_catalog.h"

#include <array>
#include <fmt/format.h>
#include <stdexcept>

#include "runtime/ops/activation.h"
#include "runtime/ops/adam.h"
#include "runtime/ops/add.h"
#include "runtime/ops/amp_host.h"
#include "runtime/ops/avgpool.h"
#include "runtime/ops/batch_norm.h"
#include "runtime/ops/batch_norm_stats.h"
#include "runtime/ops/conv.h"
#include "runtime/ops/copy.h"
#include "runtime/ops/dropout.h"
#include "runtime/ops/fc.h"
#include "runtime/ops/fused_loss.h"
#include "runtime/ops/fused_relu_backward.h"
#include "runtime/ops/fused_relu_host.h"
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

constexpr HostKernelEntry kCatalog[] = {
    {ComputeOp::H2D_COPY, TaskPart::copy, make_copy_host},
    {ComputeOp::STAGE_LABELS, TaskPart::copy, make_copy_host},
    {ComputeOp::LR_FROM_TABLE, TaskPart::update, make_lr_from_table_host},
    {ComputeOp::FC_FP32_FWD, TaskPart::Y, make_fc_forward_host},
    {ComputeOp::FC_FP32_BWD, TaskPart::dW, make_fc_weight_gradient_host},
    {ComputeOp::FC_FP32_BWD, TaskPart::dB, make_fc_bias_gradient_host},
    {ComputeOp::FC_FP32_BWD, TaskPart::dX, make_fc_input_gradient_host},
    {ComputeOp::FC_FP32_BWD_FIRST_LAYER, TaskPart::dW, make_fc_weight_gradient_host},
    {ComputeOp::FC_FP32_BWD_FIRST_LAYER, TaskPart::dB, make_fc_bias_gradient_host},
    {ComputeOp::FC_AMP_FWD, TaskPart::Y, amp<make_fc_forward_host>},
    {ComputeOp::FC_AMP_BWD, TaskPart::dW, amp<make_fc_weight_gradient_host>},
    {ComputeOp::FC_AMP_BWD, TaskPart::dB, amp<make_fc_bias_gradient_host>},
    {ComputeOp::FC_AMP_BWD, TaskPart::dX, amp<make_fc_input_gradient_host>},
    {ComputeOp::FC_AMP_BWD_FIRST_LAYER, TaskPart::dW, amp<make_fc_weight_gradient_host>},
    {ComputeOp::FC_AMP_BWD_FIRST_LAYER, TaskPart::dB, amp<make_fc_bias_gradient_host>},
    {ComputeOp::CONV_FP32_FWD, TaskPart::Y, make_conv_forward_host},
    {ComputeOp::CONV_FP32_BWD, TaskPart::dW, make_conv_weight_gradient_host},
    {ComputeOp::CONV_FP32_BWD, TaskPart::dB, make_conv_bias_gradient_host},
    {ComputeOp::CONV_FP32_BWD, TaskPart::dX, make_conv_input_gradient_host},
    {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, TaskPart::dW, make_conv_weight_gradient_host},
    {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, TaskPart::dB, make_conv_bias_gradient_host},
    {ComputeOp::CONV_AMP_FWD, TaskPart::Y, amp<make_conv_forward_host>},
    {ComputeOp::CONV_AMP_BWD, TaskPart::dW, amp<make_conv_weight_gradient_host>},
    {ComputeOp::CONV_AMP_BWD, TaskPart::dB, amp<make_conv_bias_gradient_host>},
    {ComputeOp::CONV_AMP_BWD, TaskPart::dX, amp<make_conv_input_gradient_host>},
    {ComputeOp::CONV_AMP_BWD_FIRST_LAYER, TaskPart::dW, amp<make_conv_weight_gradient_host>},
    {ComputeOp::CONV_AMP_BWD_FIRST_LAYER, TaskPart::dB, amp<make_conv_bias_gradient_host>},
    {ComputeOp::BN1D_FP32_FWD, TaskPart::Y, make_batch_norm_forward_host},
    {ComputeOp::BN1D_FP32_BWD, TaskPart::dX, make_batch_norm_backward_host},
    {ComputeOp::BN1D_FP32_INF, TaskPart::Y, make_batch_norm_inference_host},
    {ComputeOp::BN1D_AMP_FWD, TaskPart::Y, amp<make_batch_norm_forward_host>},
    {ComputeOp::BN1D_AMP_BWD, TaskPart::dX, amp<make_batch_norm_backward_host>},
    {ComputeOp::BN1D_AMP_INF, TaskPart::Y, amp<make_batch_norm_inference_host>},
    {ComputeOp::BN2D_FP32_FWD, TaskPart::Y, make_batch_norm_forward_host},
    {ComputeOp::BN2D_FP32_BWD, TaskPart::dX, make_batch_norm_backward_host},
    {ComputeOp::BN2D_FP32_INF, TaskPart::Y, make_batch_norm_inference_host},
    {ComputeOp::BN2D_AMP_FWD, TaskPart::Y, amp<make_batch_norm_forward_host>},
    {ComputeOp::BN2D_AMP_BWD, TaskPart::dX, amp<make_batch_norm_backward_host>},
    {ComputeOp::BN2D_AMP_INF, TaskPart::Y, amp<make_batch_norm_inference_host>},
    {ComputeOp::MAXPOOL_FP32_FWD, TaskPart::Y, make_maxpool_forward_host},
    {ComputeOp::MAXPOOL_FP32_BWD, TaskPart::dX, make_maxpool_backward_host},
    {ComputeOp::MAXPOOL_AMP_FWD, TaskPart::Y, amp<make_maxpool_forward_host>},
    {ComputeOp::MAXPOOL_AMP_BWD, TaskPart::dX, amp<make_maxpool_backward_host>},
    {ComputeOp::AVGPOOL_FP32_FWD, TaskPart::Y, make_avgpool_forward_host},
    {ComputeOp::AVGPOOL_FP32_BWD, TaskPart::dX, make_avgpool_backward_host},
    {ComputeOp::AVGPOOL_AMP_FWD, TaskPart::Y, amp<make_avgpool_forward_host>},
    {ComputeOp::AVGPOOL_AMP_BWD, TaskPart::dX, amp<make_avgpool_backward_host>},
    {ComputeOp::GAP_FP32_FWD, TaskPart::Y, make_gap_forward_host},
    {ComputeOp::GAP_FP32_BWD, TaskPart::dX, make_gap_backward_host},
    {ComputeOp::GAP_AMP_FWD, TaskPart::Y, amp<make_gap_forward_host>},
    {ComputeOp::GAP_AMP_BWD, TaskPart::dX, amp<make_gap_backward_host>},
    {ComputeOp::DROPOUT_FP32_FWD, TaskPart::Y, make_dropout_forward_host},
    {ComputeOp::DROPOUT_FP32_BWD, TaskPart::dX, make_dropout_backward_host},
    {ComputeOp::DROPOUT_AMP_FWD, TaskPart::Y, amp<make_dropout_forward_host>},
    {ComputeOp::DROPOUT_AMP_BWD, TaskPart::dX, amp<make_dropout_backward_host>},
    {ComputeOp::RELU_FP32_FWD, TaskPart::Y, make_relu_forward_host},
    {ComputeOp::RELU_FP32_BWD, TaskPart::dX, make_relu_backward_host},
    {ComputeOp::RELU_AMP_FWD, TaskPart::Y, amp<make_relu_forward_host>},
    {ComputeOp::RELU_AMP_BWD, TaskPart::dX, amp<make_relu_backward_host>},
    {ComputeOp::TANH_FP32_FWD, TaskPart::Y, make_activation_forward_host},
    {ComputeOp::TANH_FP32_BWD, TaskPart::dX, make_activation_backward_host},
    {ComputeOp::TANH_AMP_FWD, TaskPart::Y, amp<make_activation_forward_host>},
    {ComputeOp::TANH_AMP_BWD, TaskPart::dX, amp<make_activation_backward_host>},
    {ComputeOp::SILU_FP32_FWD, TaskPart::Y, make_activation_forward_host},
    {ComputeOp::SILU_FP32_BWD, TaskPart::dX, make_activation_backward_host},
    {ComputeOp::SILU_AMP_FWD, TaskPart::Y, amp<make_activation_forward_host>},
    {ComputeOp::SILU_AMP_BWD, TaskPart::dX, amp<make_activation_backward_host>},
    {ComputeOp::RELU6_FP32_FWD, TaskPart::Y, make_activation_forward_host},
    {ComputeOp::RELU6_FP32_BWD, TaskPart::dX, make_activation_backward_host},
    {ComputeOp::RELU6_AMP_FWD, TaskPart::Y, amp<make_activation_forward_host>},
    {ComputeOp::RELU6_AMP_BWD, TaskPart::dX, amp<make_activation_backward_host>},
    {ComputeOp::LEAKY_RELU_FP32_FWD, TaskPart::Y, make_activation_forward_host},
    {ComputeOp::LEAKY_RELU_FP32_BWD, TaskPart::dX, make_activation_backward_host},
    {ComputeOp::LEAKY_RELU_AMP_FWD, TaskPart::Y, amp<make_activation_forward_host>},
    {ComputeOp::LEAKY_RELU_AMP_BWD, TaskPart::dX, amp<make_activation_backward_host>},
    {ComputeOp::SIGMOID_FP32_FWD, TaskPart::Y, make_activation_forward_host},
    {ComputeOp::SIGMOID_FP32_BWD, TaskPart::dX, make_activation_backward_host},
    {ComputeOp::SIGMOID_AMP_FWD, TaskPart::Y, amp<make_activation_forward_host>},
    {ComputeOp::SIGMOID_AMP_BWD, TaskPart::dX, amp<make_activation_backward_host>},
    {ComputeOp::HARDSWISH_FP32_FWD, TaskPart::Y, make_activation_forward_host},
    {ComputeOp::HARDSWISH_FP32_BWD, TaskPart::dX, make_activation_backward_host},
    {ComputeOp::HARDSWISH_AMP_FWD, TaskPart::Y, amp<make_activation_forward_host>},
    {ComputeOp::HARDSWISH_AMP_BWD, TaskPart::dX, amp<make_activation_backward_host>},
    {ComputeOp::ELU_FP32_FWD, TaskPart::Y, make_activation_forward_host},
    {ComputeOp::ELU_FP32_BWD, TaskPart::dX, make_activation_backward_host},
    {ComputeOp::ELU_AMP_FWD, TaskPart::Y, amp<make_activation_forward_host>},
    {ComputeOp::ELU_AMP_BWD, TaskPart::dX, amp<make_activation_backward_host>},
    {ComputeOp::ADD_FP32_FWD, TaskPart::Y, make_add_host},
    {ComputeOp::ADD_FP32_BWD, TaskPart::dX, make_add_host},
    {ComputeOp::ADD_AMP_FWD, TaskPart::Y, amp<make_add_host>},
    {ComputeOp::ADD_AMP_BWD, TaskPart::dX, amp<make_add_host>},
    {ComputeOp::SOFTMAX_CE_FP32_FWD, TaskPart::Y, make_softmax_ce_forward_host},
    {ComputeOp::SOFTMAX_CE_FP32_BWD, TaskPart::dX, make_softmax_ce_backward_host},
    {ComputeOp::SOFTMAX_CE_AMP_FWD, TaskPart::Y, amp<make_softmax_ce_forward_host>},
    {ComputeOp::SOFTMAX_CE_AMP_BWD, TaskPart::dX, amp<make_softmax_ce_backward_host>},
    {ComputeOp::METRICS, TaskPart::Y, make_metrics_host},
    {ComputeOp::SCALAR_INCREMENT, TaskPart::update, make_scalar_increment_host},
    {ComputeOp::LOSS_SCALE_UPDATE, TaskPart::update, make_loss_scale_update_host},
    {ComputeOp::ADAM_BIAS_CORRECTION, TaskPart::update, make_adam_bias_correction_host},
    {ComputeOp::LARS_UPDATE_FC, TaskPart::update, make_lars_host},
    {ComputeOp::LARS_UPDATE_FIRST, TaskPart::update, make_lars_host},
    {ComputeOp::LARS_UPDATE_DEEP, TaskPart::update, make_lars_host},
    {ComputeOp::BN_UPDATE_EQ_PARAMS, TaskPart::update, make_batch_norm_eq_host},
    {RangeOp::RANGE_CLEAR, TaskPart::clear, make_range_clear_host},
    {RangeOp::RANGE_CAST_FP32_TO_FP16, TaskPart::copy, make_cast_to_fp16_host},
    {RangeOp::RANGE_CAST_FP16_TO_FP32, TaskPart::update, make_cast_to_fp32_host},
    {RangeOp::RANGE_EMA_PARAM_UPDATE, TaskPart::update, make_range_ema_host},
    {RangeOp::RANGE_CHECK_NAN, TaskPart::update, make_check_nan_host},
    {RangeOp::RANGE_SGD_UPDATE, TaskPart::update, make_range_sgd_host},
    {RangeOp::RANGE_ADAM_UPDATE, TaskPart::update, make_range_adam_host},
    {RangeOp::RANGE_ADAMW_UPDATE, TaskPart::update, make_range_adamw_host},
    {RangeOp::RANGE_SCALE_GRADIENTS, TaskPart::update, make_scale_gradients_host},
    {RangeOp::RANGE_BN_STATS_UPDATE, TaskPart::update, make_range_bn_stats_host},
};

constexpr std::array kFused = std::to_array<FusedKernelEntry>({
    {ComputeOp::FC_FP32_FWD, ComputeOp::RELU_FP32_FWD,
     with_relu<make_fc_forward_host, FcForwardSlots::Y>},
    {ComputeOp::FC_AMP_FWD, ComputeOp::RELU_AMP_FWD,
     with_relu<amp<make_fc_forward_host>, FcForwardSlots::Y>},
    {ComputeOp::CONV_FP32_FWD, ComputeOp::RELU_FP32_FWD,
     with_relu<make_conv_forward_host, ConvForwardSlots::Y>},
    {ComputeOp::CONV_AMP_FWD, ComputeOp::RELU_AMP_FWD,
     with_relu<amp<make_conv_forward_host>, ConvForwardSlots::Y>},
    {ComputeOp::BN1D_FP32_FWD, ComputeOp::RELU_FP32_FWD,
     with_relu<make_batch_norm_forward_host, BatchNormForwardSlots::Y>},
    {ComputeOp::BN1D_AMP_FWD, ComputeOp::RELU_AMP_FWD,
     with_relu<amp<make_batch_norm_forward_host>, BatchNormForwardSlots::Y>},
    {ComputeOp::BN1D_FP32_INF, ComputeOp::RELU_FP32_FWD,
     with_relu<make_batch_norm_inference_host, BatchNormInferenceSlots::Y>},
    {ComputeOp::BN1D_AMP_INF, ComputeOp::RELU_AMP_FWD,
     with_relu<amp<make_batch_norm_inference_host>, BatchNormInferenceSlots::Y>},
    {ComputeOp::BN2D_FP32_FWD, ComputeOp::RELU_FP32_FWD,
     with_relu<make_batch_norm_forward_host, BatchNormForwardSlots::Y>},
    {ComputeOp::BN2D_AMP_FWD, ComputeOp::RELU_AMP_FWD,
     with_relu<amp<make_batch_norm_forward_host>, BatchNormForwardSlots::Y>},
    {ComputeOp::BN2D_FP32_INF, ComputeOp::RELU_FP32_FWD,
     with_relu<make_batch_norm_inference_host, BatchNormInferenceSlots::Y>},
    {ComputeOp::BN2D_AMP_INF, ComputeOp::RELU_AMP_FWD,
     with_relu<amp<make_batch_norm_inference_host>, BatchNormInferenceSlots::Y>},
    {ComputeOp::ADD_FP32_FWD, ComputeOp::RELU_FP32_FWD, with_relu<make_add_host, AddSlots::sum>},
    {ComputeOp::ADD_AMP_FWD, ComputeOp::RELU_AMP_FWD, with_relu<amp<make_add_host>, AddSlots::sum>},
    {ComputeOp::FC_FP32_BWD, ComputeOp::RELU_FP32_BWD, make_fc_relu_backward_host},
    {ComputeOp::FC_AMP_BWD, ComputeOp::RELU_AMP_BWD, make_fc_relu_backward_amp_host},
    {ComputeOp::SOFTMAX_CE_FP32_FWD, ComputeOp::SOFTMAX_CE_FP32_BWD, make_fused_loss_host},
    {ComputeOp::SOFTMAX_CE_AMP_FWD, ComputeOp::SOFTMAX_CE_AMP_BWD, make_fused_loss_host},
    {RangeOp::RANGE_SGD_UPDATE, RangeOp::RANGE_CAST_FP32_TO_FP16, make_fused_update_host},
});

/// A library's reference code is right and 60 to 260 times too slow: an error, not a fallback.
bool is_reference(const std::string& implementation) {
  return implementation.starts_with("ref");
}

/// The line for a task; nothing where there is none.
HostKernelFactory factory_of(const Task& task) {
  if (task.fused_with) {
    for (const FusedKernelEntry& entry : kFused) {
      if (entry.producer == task.kind && entry.consumer == task.fused_with->kind) return entry.make;
    }
    return nullptr;
  }
  for (const HostKernelEntry& entry : kCatalog) {
    if (entry.kind == task.kind && entry.part == task.part) return entry.make;
  }
  return nullptr;
}

}  // namespace

std::span<const HostKernelEntry> host_kernel_catalog() {
  return kCatalog;
}

std::span<const FusedKernelEntry> fused_kernel_catalog() {
  return kFused;
}

Result<std::unique_ptr<HostKernel>> make_host_kernel(const Task& task, const TensorTable& tensors) {
  const HostKernelFactory make = factory_of(task);
  if (make == nullptr) {
    return fail(
        fmt::format("{} has no host kernel for part {} of {}{}", task.name, name_of(task.part),
                    name_of(task.kind),
                    task.fused_with ? fmt::format(" with {}", name_of(task.fused_with->kind)) : ""),
        "add it to the host kernel catalog");
  }
  try {
    std::unique_ptr<HostKernel> kernel = make(task, tensors);
    if (!is_reference(kernel->implementation())) return kernel;
    return fail(fmt::format("{}: the library offers only its reference implementation ({})",
                            task.name, kernel->implementation()),
                "change the layer's shape");
  } catch (const std::runtime_error& error) {
    return fail(fmt::format("{}: {}", task.name, error.what()), "change the layer's shape");
  }
}

}  // namespace quintet
