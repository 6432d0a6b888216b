/// A network as a graph of layers, before any shape, stream or precision is chosen.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "runtime/model/op.h"

namespace quintet {

struct ConvLayer {
  std::int64_t out_channels = 1;
  Window window;
  bool bias = true;
};
struct FcLayer {
  std::int64_t out_features = 1;
};
/// Over the channels of an image, or the features of a vector.
struct BatchNormLayer {
  BatchNormHyper hyper;
};

enum class ActivationKind : std::uint8_t {
  relu,
  relu6,
  leaky_relu,
  tanh,
  silu,
  sigmoid,
  hardswish,
  elu,
};
struct ActivationLayer {
  ActivationKind kind = ActivationKind::relu;
  SlopeHyper slope;  ///< leaky_relu and elu
};
struct MaxPoolLayer {
  Window window;
};
struct AvgPoolLayer {
  Window window;
};
/// Mean over the image: NHWC to NC.
struct GlobalAvgPoolLayer {};
struct FlattenLayer {};
/// Sum of two layers' outputs of one shape.
struct AddLayer {};
struct DropoutLayer {
  float probability = 0.5F;
};

using LayerKind =
    std::variant<ConvLayer, FcLayer, BatchNormLayer, ActivationLayer, MaxPoolLayer, AvgPoolLayer,
                 GlobalAvgPoolLayer, FlattenLayer, AddLayer, DropoutLayer>;

/// Index of a layer in NetworkDefinition::layers, or the image.
using LayerIndex = std::int32_t;
inline constexpr LayerIndex kImage = -1;

struct Layer {
  std::string name;
  LayerKind kind;
  std::vector<LayerIndex> inputs;  ///< earlier layers or the image: one, of an AddLayer two
};

/// From images (HWC) to class scores, the output of the last layer; softmax cross-entropy follows it always. Layers are in an
/// order of computation, names are unique.
struct NetworkDefinition {
  std::string name;
  std::int64_t height = 28;
  std::int64_t width = 28;
  std::int64_t channels = 1;
  std::int64_t classes = 10;
  double weight_gain = 1.0;  ///< of the starting weights, see weight_init.h
  std::vector<Layer> layers;
};

}  // namespace quintet
