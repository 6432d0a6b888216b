/// Writes a network down layer by layer, in the order of computation.
#pragma once

#include <string>
#include <utility>

#include "runtime/network/network_definition.h"

namespace quintet {

/// Each call adds a layer that reads the one before; from() goes back to an earlier one. Shapes are checked when the training
/// graph is built, where an impossible one is an error that names the layer.
///   NetworkBuilder b(image); b.conv("conv1", 6, {...}).relu("relu1"); const auto trunk = b.here(); ... b.add("sum", trunk);
class NetworkBuilder {
 public:
  /// `input` gives name, image size and classes; its layers are ignored.
  explicit NetworkBuilder(NetworkDefinition input) : network_(std::move(input)) {
    network_.layers.clear();
  }

  NetworkBuilder& conv(std::string name, std::int64_t out_channels, Window window,
                       bool bias = true) {
    return append(std::move(name), ConvLayer{out_channels, window, bias}, {here_});
  }
  NetworkBuilder& fc(std::string name, std::int64_t out_features) {
    return append(std::move(name), FcLayer{out_features}, {here_});
  }
  NetworkBuilder& batch_norm(std::string name, BatchNormHyper hyper = {}) {
    return append(std::move(name), BatchNormLayer{hyper}, {here_});
  }
  NetworkBuilder& activation(std::string name, ActivationKind kind, SlopeHyper slope = {}) {
    return append(std::move(name), ActivationLayer{kind, slope}, {here_});
  }
  NetworkBuilder& relu(std::string name) {
    return activation(std::move(name), ActivationKind::relu);
  }
  NetworkBuilder& max_pool(std::string name, Window window) {
    return append(std::move(name), MaxPoolLayer{window}, {here_});
  }
  NetworkBuilder& avg_pool(std::string name, Window window) {
    return append(std::move(name), AvgPoolLayer{window}, {here_});
  }
  NetworkBuilder& global_avg_pool(std::string name) {
    return append(std::move(name), GlobalAvgPoolLayer{}, {here_});
  }
  NetworkBuilder& flatten(std::string name) {
    return append(std::move(name), FlattenLayer{}, {here_});
  }
  NetworkBuilder& dropout(std::string name, float probability) {
    return append(std::move(name), DropoutLayer{probability}, {here_});
  }
  /// The sum of the layer before and `other`.
  NetworkBuilder& add(std::string name, LayerIndex other) {
    return append(std::move(name), AddLayer{}, {here_, other});
  }

  /// The layer added last.
  [[nodiscard]] LayerIndex here() const { return here_; }
  /// The next layer reads `layer`.
  NetworkBuilder& from(LayerIndex layer) {
    here_ = layer;
    return *this;
  }
  [[nodiscard]] NetworkDefinition build() const { return network_; }

 private:
  NetworkBuilder& append(std::string name, LayerKind kind, std::vector<LayerIndex> inputs) {
    network_.layers.push_back({std::move(name), kind, std::move(inputs)});
    here_ = static_cast<LayerIndex>(network_.layers.size()) - 1;
    return *this;
  }
  NetworkDefinition network_;
  LayerIndex here_ = kImage;
};

}  // namespace quintet
