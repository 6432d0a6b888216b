/// Tensors and the table that holds them all: shared ones (weights) once, activations once per
/// shape variant.
#pragma once

#include <string>
#include <vector>

#include "runtime/model/dtype.h"
#include "runtime/model/graph_id.h"
#include "runtime/model/ids.h"
#include "runtime/model/region.h"
#include "runtime/model/shape.h"

namespace quintet {

enum class TensorRole : std::uint8_t {
  input,
  label,
  activation,
  saved,  ///< kept by forward for backward: masks, argmax, probabilities
  activation_gradient,
  weight,
  weight_gradient,
  weight_copy,  ///< follows a weight: its FP16 form, its moving average
  optimizer_state,
  scalar,
  table,
  statistics,  ///< of BatchNorm
  result,
};

struct Tensor {
  TensorId id;
  std::string name;  ///< "conv1/W", "relu1/mask", "conv2/dX"; unique within its shape variant
  Shape shape;
  DType dtype = DType::F32;
  RegionKind region = RegionKind::FEATURES;
  TensorRole role = TensorRole::activation;
  ShapeId variant = kAnyShape;      ///< the shape variant it belongs to; kAnyShape = shared by all
  std::optional<TensorId> view_of;  ///< same bytes as that tensor under another shape (FLATTEN)
  std::optional<TensorId>
      gradient_of;  ///< the activation whose bytes it may take under gradients = in_place

  std::optional<TensorId> starts_as;  ///< weight_copy: the weight whose starting values it has

  [[nodiscard]] std::uint64_t bytes() const {
    return static_cast<std::uint64_t>(shape.extent()) * bytes_of(dtype);
  }
};

/// Owns every tensor of a plan; ids index it.
class TensorTable {
 public:
  /// Adds a tensor (its id is set here) and returns the id.
  TensorId add(Tensor tensor) {
    tensor.id = TensorId(static_cast<std::uint32_t>(tensors_.size()));
    tensors_.push_back(std::move(tensor));
    return tensors_.back().id;
  }
  [[nodiscard]] const Tensor& operator[](TensorId id) const { return tensors_.at(id.value()); }
  [[nodiscard]] const std::vector<Tensor>& all() const { return tensors_; }
  /// The tensor that owns the bytes: follows view_of to its end.
  [[nodiscard]] const Tensor& storage_of(TensorId id) const {
    const Tensor* tensor = &(*this)[id];
    while (tensor->view_of)
      tensor = &(*this)[*tensor->view_of];
    return *tensor;
  }

 private:
  std::vector<Tensor> tensors_;
};

}  // namespace quintet
