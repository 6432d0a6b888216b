/// Writes a network down layer by layer, in the order of computation.
#pragma once

#include <string>
#include <utility>

#include "runtime/network/network_definition.h"

namespace quintet {

/// Usage: NetworkBuilder("lenet5", image).conv("conv1", 6, {...}).relu("relu1")....build(). Shapes
/// are checked when the training graph is built, where an impossible one is an error that names the
/// layer.
class NetworkBuilder {
 public:
  /// `input` gives name, image size and classes; its layers are ignored.
  explicit NetworkBuilder(NetworkDefinition input) : network_(std::move(input)) {
    network_.layers.clear();
  }
  NetworkBuilder& conv(std::string name, std::int64_t out_channels, Window window) {
    return add(std::move(name), ConvLayer{out_channels, window});
  }
  NetworkBuilder& fc(std::string name, std::int64_t out_features) {
    return add(std::move(name), FcLayer{out_features});
  }
  NetworkBuilder& relu(std::string name) { return add(std::move(name), ReluLayer{}); }
  NetworkBuilder& max_pool(std::string name, Window window) {
    return add(std::move(name), MaxPoolLayer{window});
  }
  NetworkBuilder& flatten(std::string name) { return add(std::move(name), FlattenLayer{}); }
  [[nodiscard]] NetworkDefinition build() const { return network_; }

 private:
  NetworkBuilder& add(std::string name, LayerKind kind) {
    network_.layers.push_back({std::move(name), kind});
    return *this;
  }
  NetworkDefinition network_;
};

}  // namespace quintet
