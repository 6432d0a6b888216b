/// What the answers of op expectations share: the op with its values, and a list of answers.
#pragma once

#include <algorithm>
#include <functional>
#include <span>

#include "tests/runtime/ops/op_expectations.h"
#include "tests/support/reference_ops.h"

namespace quintet {

/// An op with the values of its inputs at hand.
struct Question {
  const OpCase& op_case;
  const TensorValues& before;

  [[nodiscard]] const reference::Values& in(std::size_t i) const {
    return before.at(op_case.op.inputs[i]);
  }
  [[nodiscard]] reference::Indices indices(std::size_t i) const {
    return {in(i).begin(), in(i).end()};
  }
  [[nodiscard]] const Shape& in_shape(std::size_t i) const {
    return op_case.tensors[op_case.op.inputs[i]].shape;
  }
  [[nodiscard]] const Shape& out_shape(std::size_t i) const {
    return op_case.tensors[op_case.op.outputs[i]].shape;
  }
  [[nodiscard]] TensorId out(std::size_t i) const { return op_case.op.outputs[i]; }
  [[nodiscard]] std::size_t outputs() const { return op_case.op.outputs.size(); }
  /// What the output held before, plus `values`.
  [[nodiscard]] reference::Values added_to(std::size_t i, reference::Values values) const {
    const reference::Values& start = before.at(out(i));
    std::transform(values.begin(), values.end(), start.begin(), values.begin(), std::plus<>());
    return values;
  }
};

struct Expectation {
  OpKind kind;
  TensorValues (*answer)(const Question& question);
};

/// Activations, normalisation, average-pooling, residual addition, dropout.
std::span<const Expectation> layer_expectations();

/// Optimizers and what AMP and moving averages add to a step.
std::span<const Expectation> update_expectations();

inline reference::Values as_values(const reference::Indices& indices) {
  return {indices.begin(), indices.end()};
}

inline reference::WindowedSizes windowed(const Question& q, const Shape& x, const Shape& y) {
  return {x.dim(0), x.dim(1), x.dim(2), x.dim(3),
          y.dim(1), y.dim(2), y.dim(3), std::get<Window>(q.op_case.op.attributes)};
}

/// The tensors of a region in the order of the table.
inline std::vector<TensorId> tensors_in(const Question& q, RegionKind region) {
  std::vector<TensorId> ids;
  for (const Tensor& tensor : q.op_case.tensors.all()) {
    if (tensor.region == region) ids.push_back(tensor.id);
  }
  return ids;
}

}  // namespace quintet
