/// A planned convolution of cuDNN: forward (with or without its bias), gradient of the input,
/// gradient of the weights. Images NHWC, weights KRSC (out, kernel_h, kernel_w, in).
#pragma once

#include <optional>

#include "runtime/cuda/cudnn_plan.h"
#include "runtime/model/dtype.h"
#include "runtime/model/op.h"

namespace quintet {

enum class ConvPass : std::uint8_t { forward, input_gradient, weight_gradient };

/// X[batch, in_h, in_w, in_channels], W[out_channels, kernel_h, kernel_w, in_channels],
/// Y[batch, out_h, out_w, out_channels]; all of one type, F32 or F16, sums in F32.
struct CudnnConvProblem {
  ConvPass pass = ConvPass::forward;
  DType dtype = DType::F32;
  std::int64_t batch = 1;
  std::int64_t in_h = 1, in_w = 1, in_channels = 1;
  std::int64_t out_h = 1, out_w = 1, out_channels = 1;
  Window window;
  bool bias = false;  ///< forward only: + B[out_channels], before the one rounding to `dtype`
};

/// Nothing where cuDNN has no engine that keeps our determinism and precision. FP32 is computed in
/// FP32 (no TF32). Pointers of run(): forward {X, W, Y, [B]}; input_gradient {dY, W, dX};
/// weight_gradient {X, dY, dW}; outputs are overwritten. Throws CudaError.
std::optional<CudnnPlan> plan_convolution(const CudnnConvProblem& problem, KernelPlanner& planner);

}  // namespace quintet
