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

using OpAttributes = std::variant<std::monostate, Window, SgdHyper>;

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
