/// An op: one node of a ComputationGraph, before any stream is chosen.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

#include "runtime/model/graph_id.h"
#include "runtime/model/ids.h"
#include "runtime/model/op_kind.h"
#include "runtime/model/region.h"

namespace quintet {

/// The sliding window of a convolution or a pooling; padding is symmetric, zero for convolution,
/// -inf for max-pooling.
struct Window {
  std::int64_t kernel_h = 1, kernel_w = 1;
  std::int64_t stride_h = 1, stride_w = 1;
  std::int64_t pad_h = 0, pad_w = 0;
};

/// SGD: m = momentum * m + (g + weight_decay * w); w -= lr * (nesterov ? g' + momentum * m : m), g'
/// the decayed gradient.
struct SgdHyper {
  float momentum = 0.9F;
  float weight_decay = 0.0F;
  bool nesterov = false;
};

/// Adam and AdamW. Adam adds weight_decay * w to the gradient; AdamW decays the weight itself by lr
/// * weight_decay.
struct AdamHyper {
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;
  float weight_decay = 0.0F;
};

/// The same figures, decoupled decay: a type of its own, so that a scenario says which it means.
struct AdamWHyper : AdamHyper {};

/// LARS: the layer's rate is lr * trust * |w| / (|g| + weight_decay * |w| + epsilon), 1 where a
/// norm is 0; then SGD with momentum.
struct LarsHyper {
  float momentum = 0.9F;
  float weight_decay = 0.0F;
  float trust = 0.001F;
  float epsilon = 1e-9F;
};

/// BatchNorm: y = (x - mean) / sqrt(variance + epsilon) * gamma + beta. `momentum` = the weight of
/// the new value in the moving average.
struct BatchNormHyper {
  float epsilon = 1e-5F;
  float momentum = 0.1F;
};

/// Softmax cross-entropy: the target is 1 - smoothing + smoothing / classes for the label,
/// smoothing / classes for the others.
struct LossHyper {
  float smoothing = 0.0F;
};

/// Dropout: the mask is a function of (seed, layer, step, element) alone, so that no schedule
/// changes it.
struct DropoutHyper {
  float probability = 0.5F;  ///< of dropping an element
  std::uint64_t seed = 0;    ///< of the run and the layer together
};

/// Leaky ReLU and ELU.
struct SlopeHyper {
  float alpha = 0.01F;
};

/// Moving averages of weights: average = decay * average + (1 - decay) * weight.
struct EmaHyper {
  float decay = 0.999F;
};

/// The dynamic loss scale: times `backoff` after an overflow, times `growth` after
/// `growth_interval` good steps in a row, within [minimum, maximum]. All powers of two, so that
/// scaling is exact.
struct LossScaleHyper {
  float initial = 65536.0F;
  float growth = 2.0F;
  float backoff = 0.5F;
  float minimum = 1.0F;
  float maximum = 16777216.0F;
  std::int32_t growth_interval = 2000;
};

/// AMP's update as the fused lowering has it: SGD, then the loss scale's own.
struct ScaledSgdHyper {
  SgdHyper sgd;
  LossScaleHyper loss_scale;
};

/// Gradients are divided by the loss scale, where there is one, and by the number of accumulated
/// micro-batches.
struct GradientScaleHyper {
  std::int32_t micro_batches = 1;
};

using OpAttributes = std::variant<std::monostate, Window, SgdHyper, AdamHyper, LarsHyper,
                                  BatchNormHyper, LossHyper, DropoutHyper, SlopeHyper, EmaHyper,
                                  LossScaleHyper, ScaledSgdHyper, GradientScaleHyper>;

/// Inputs and outputs in the order that the op's own header documents; a RangeOp has regions
/// instead of tensors.
struct Op {
  OpId id;
  OpKind kind;
  std::string layer;  ///< "conv1"; of an op without a layer: what it serves ("gradients", "batch")
  GraphId graph = GraphId::DEEP_FWD_BWD;
  ShapeId shape = kAnyShape;
  std::vector<TensorId> inputs;
  std::vector<TensorId> outputs;
  std::vector<RegionKind> regions;
  OpAttributes attributes;
};

}  // namespace quintet
