/// Adds tensors and ops to a training graph while it is built; an op lands in the list and in its atlas slot at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/network/training_graph.h"

namespace quintet {

/// Refers to the graph, which must outlive it.
class GraphWriter {
 public:
  explicit GraphWriter(TrainingGraph& graph) : graph_(graph) {}

  /// A tensor shared by all shape variants, or of `variant`.
  TensorId tensor(std::string name, Shape shape, DType dtype, RegionKind region, TensorRole role,
                  ShapeId variant = kAnyShape) {
    Tensor added;
    added.name = std::move(name);
    added.shape = std::move(shape);
    added.dtype = dtype;
    added.region = region;
    added.role = role;
    added.variant = variant;
    return graph_.tensors.add(std::move(added));
  }

  /// A tensor of the weight's shape that starts with its values.
  TensorId copy_of(TensorId weight, std::string name, DType dtype, RegionKind region) {
    Tensor added = graph_.tensors[weight];
    added.name = std::move(name);
    added.dtype = dtype;
    added.region = region;
    added.role = TensorRole::weight_copy;
    added.starts_as = weight;
    return graph_.tensors.add(std::move(added));
  }

  /// The same bytes as `of` under another shape.
  TensorId view(std::string name, Shape shape, TensorId of) {
    Tensor added = graph_.tensors[of];
    added.name = std::move(name);
    added.shape = std::move(shape);
    added.view_of = of;
    added.gradient_of = std::nullopt;
    return graph_.tensors.add(std::move(added));
  }

  /// The gradient of an activation; may take its bytes under gradients = in_place.
  TensorId gradient(std::string name, TensorId of) {
    Tensor added = graph_.tensors[of];
    added.name = std::move(name);
    added.role = TensorRole::activation_gradient;
    added.view_of = std::nullopt;
    added.gradient_of = of;
    return graph_.tensors.add(std::move(added));
  }

  void op(Op added) {
    added.id = OpId(static_cast<std::uint32_t>(graph_.ops.size()));
    graph_.atlas[{added.graph, added.shape, kAnyShape}].graph.ops.push_back(added);
    graph_.ops.push_back(std::move(added));
  }

  [[nodiscard]] const Tensor& operator[](TensorId id) const { return graph_.tensors[id]; }

 private:
  TrainingGraph& graph_;
};

}  // namespace quintet
