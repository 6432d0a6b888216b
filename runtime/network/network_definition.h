/// A network as a list of layers, before any shape, stream or precision is chosen.
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
};
struct FcLayer {
  std::int64_t out_features = 1;
};
struct ReluLayer {};
struct MaxPoolLayer {
  Window window;
};
struct FlattenLayer {};

using LayerKind = std::variant<ConvLayer, FcLayer, ReluLayer, MaxPoolLayer, FlattenLayer>;

struct Layer {
  std::string name;
  LayerKind kind;
};

/// A chain from images (HWC) to class scores; softmax cross-entropy follows it always. Layer names
/// are unique.
struct NetworkDefinition {
  std::string name;
  std::int64_t height = 28;
  std::int64_t width = 28;
  std::int64_t channels = 1;
  std::int64_t classes = 10;
  std::vector<Layer> layers;
};

}  // namespace quintet
