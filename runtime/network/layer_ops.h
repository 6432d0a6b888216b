/// What each kind of layer becomes: its op kinds by precision, and what its forward keeps for its backward.
#pragma once

#include <optional>

#include "runtime/model/dtype.h"
#include "runtime/model/op.h"
#include "runtime/model/result.h"
#include "runtime/model/shape.h"
#include "runtime/network/network_definition.h"
#include "runtime/network/precision.h"

namespace quintet {

struct LayerOps {
  OpKind forward;
  OpKind inference;                      ///< of BatchNorm another kind, else forward again
  std::optional<OpKind> backward;        ///< nothing for flatten and add: their gradient is a view
  std::optional<OpKind> backward_first;  ///< of layers with weights: without dX
};

/// Error where the layer has no op in that precision.
LayerOps ops_of(const LayerKind& kind, Precision precision, bool image);

/// Convolution or fully connected: what may be the first layer.
bool has_weights(const LayerKind& kind);

/// The shape of a layer's output for its (first) input; errors name the layer.
Result<Shape> output_shape(const Layer& layer, const Shape& input);

/// What forward keeps of a layer beside its output, named by suffix: "mask", "argmax", "saved"; nothing where backward needs nothing.
struct SavedTensor {
  const char* suffix = "";
  DType dtype = DType::U8;
};
std::optional<SavedTensor> saved_by(const LayerKind& kind);

/// The attributes of the layer's ops. `seed` is of a dropout layer.
OpAttributes attributes_of(const LayerKind& kind, std::uint64_t seed);

}  // namespace quintet
