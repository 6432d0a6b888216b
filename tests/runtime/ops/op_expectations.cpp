#include "tests/runtime/ops/op_expectations.h"

#include <algorithm>

#include "tests/support/reference_ops.h"

namespace quintet {

namespace {

using reference::FcSizes;
using reference::Indices;
using reference::Values;
using reference::WindowedSizes;

/// An op with the values of its inputs at hand.
struct Question {
  const OpCase& op_case;
  const TensorValues& before;

  [[nodiscard]] const Values& in(std::size_t i) const { return before.at(op_case.op.inputs[i]); }
  [[nodiscard]] Indices indices(std::size_t i) const { return {in(i).begin(), in(i).end()}; }
  [[nodiscard]] const Shape& in_shape(std::size_t i) const {
    return op_case.tensors[op_case.op.inputs[i]].shape;
  }
  [[nodiscard]] const Shape& out_shape(std::size_t i) const {
    return op_case.tensors[op_case.op.outputs[i]].shape;
  }
  [[nodiscard]] TensorId out(std::size_t i) const { return op_case.op.outputs[i]; }
  [[nodiscard]] std::size_t outputs() const { return op_case.op.outputs.size(); }
  /// What the output held before, plus `values`.
  [[nodiscard]] Values added_to(std::size_t i, Values values) const {
    const Values& start = before.at(out(i));
    std::transform(values.begin(), values.end(), start.begin(), values.begin(), std::plus<>());
    return values;
  }
};

Values as_values(const Indices& indices) {
  return {indices.begin(), indices.end()};
}

WindowedSizes windowed(const Question& q, const Shape& x, const Shape& y) {
  return {x.dim(0), x.dim(1), x.dim(2), x.dim(3),
          y.dim(1), y.dim(2), y.dim(3), std::get<Window>(q.op_case.op.attributes)};
}

FcSizes fc_sizes(const Shape& x, const Shape& y) {
  return {x.dim(0), x.elements() / x.dim(0), y.dim(1)};
}

TensorValues copy(const Question& q) {
  return {{q.out(0), q.in(0)}};
}

TensorValues lr_from_table(const Question& q) {
  return {{q.out(0), {q.in(0).at(static_cast<std::size_t>(q.in(1)[0]))}}};
}

TensorValues scalar_increment(const Question& q) {
  return {{q.out(0), q.added_to(0, {1.0})}};
}

TensorValues fc_fwd(const Question& q) {
  const FcSizes s = fc_sizes(q.in_shape(0), q.out_shape(0));
  return {{q.out(0), reference::fc_forward(s, q.in(0), q.in(1), q.in(2))}};
}

TensorValues fc_bwd(const Question& q) {
  const FcSizes s = fc_sizes(q.in_shape(1), q.in_shape(0));
  TensorValues values = {
      {q.out(0), q.added_to(0, reference::fc_weight_gradient(s, q.in(1), q.in(0)))},
      {q.out(1), q.added_to(1, reference::bias_gradient(s.o, q.in(0)))}};
  if (q.outputs() > 2) values[q.out(2)] = reference::fc_input_gradient(s, q.in(0), q.in(2));
  return values;
}

TensorValues conv_fwd(const Question& q) {
  const WindowedSizes s = windowed(q, q.in_shape(0), q.out_shape(0));
  return {{q.out(0), reference::conv_forward(s, q.in(0), q.in(1), q.in(2))}};
}

TensorValues conv_bwd(const Question& q) {
  const WindowedSizes s = windowed(q, q.in_shape(1), q.in_shape(0));
  TensorValues values = {
      {q.out(0), q.added_to(0, reference::conv_weight_gradient(s, q.in(1), q.in(0)))},
      {q.out(1), q.added_to(1, reference::bias_gradient(s.out_c, q.in(0)))}};
  if (q.outputs() > 2) values[q.out(2)] = reference::conv_input_gradient(s, q.in(0), q.in(2));
  return values;
}

TensorValues relu_fwd(const Question& q) {
  TensorValues values = {{q.out(0), reference::relu_forward(q.in(0))}};
  if (q.outputs() > 1) values[q.out(1)] = as_values(reference::relu_mask(q.in(0)));
  return values;
}

TensorValues relu_bwd(const Question& q) {
  return {{q.out(0), reference::relu_backward(q.in(0), q.indices(1))}};
}

TensorValues maxpool_fwd(const Question& q) {
  const WindowedSizes s = windowed(q, q.in_shape(0), q.out_shape(0));
  TensorValues values = {{q.out(0), reference::maxpool_forward(s, q.in(0))}};
  if (q.outputs() > 1) values[q.out(1)] = as_values(reference::maxpool_argmax(s, q.in(0)));
  return values;
}

TensorValues maxpool_bwd(const Question& q) {
  const WindowedSizes s = windowed(q, q.out_shape(0), q.in_shape(0));
  return {{q.out(0), reference::maxpool_backward(s, q.in(0), q.indices(1))}};
}

TensorValues softmax_ce_fwd(const Question& q) {
  const std::int64_t classes = q.in_shape(0).dim(1);
  return {{q.out(0), reference::softmax(classes, q.in(0))},
          {q.out(1), reference::cross_entropy(classes, q.in(0), q.indices(1))}};
}

TensorValues softmax_ce_bwd(const Question& q) {
  const std::int64_t classes = q.in_shape(0).dim(1);
  return {{q.out(0), reference::softmax_ce_backward(classes, q.in(0), q.indices(1))}};
}

TensorValues metrics(const Question& q) {
  const std::int64_t classes = q.in_shape(1).dim(1);
  return {{q.out(0), reference::metrics(classes, q.in(0), q.in(1), q.indices(2))}};
}

/// The tensors of a region in the order of the table.
std::vector<TensorId> tensors_in(const Question& q, RegionKind region) {
  std::vector<TensorId> ids;
  for (const Tensor& tensor : q.op_case.tensors.all()) {
    if (tensor.region == region) ids.push_back(tensor.id);
  }
  return ids;
}

TensorValues range_clear(const Question& q) {
  TensorValues values;
  for (const RegionKind region : q.op_case.op.regions) {
    for (const TensorId id : tensors_in(q, region))
      values[id] = Values(q.before.at(id).size(), 0.0);
  }
  return values;
}

TensorValues range_sgd(const Question& q) {
  const auto weights = tensors_in(q, q.op_case.op.regions[0]);
  const auto gradients = tensors_in(q, q.op_case.op.regions[1]);
  const auto momentum = tensors_in(q, q.op_case.op.regions[2]);
  TensorValues values;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    values[weights[i]] = q.before.at(weights[i]);
    values[momentum[i]] = q.before.at(momentum[i]);
    reference::sgd(std::get<SgdHyper>(q.op_case.op.attributes), q.in(0)[0],
                   q.before.at(gradients[i]), values[weights[i]], values[momentum[i]]);
  }
  return values;
}

struct Expectation {
  OpKind kind;
  TensorValues (*answer)(const Question& question);
};

constexpr Expectation kExpectations[] = {
    {ComputeOp::H2D_COPY, copy},
    {ComputeOp::STAGE_LABELS, copy},
    {ComputeOp::LR_FROM_TABLE, lr_from_table},
    {ComputeOp::FC_FP32_FWD, fc_fwd},
    {ComputeOp::FC_FP32_BWD, fc_bwd},
    {ComputeOp::FC_FP32_BWD_FIRST_LAYER, fc_bwd},
    {ComputeOp::CONV_FP32_FWD, conv_fwd},
    {ComputeOp::CONV_FP32_BWD, conv_bwd},
    {ComputeOp::CONV_FP32_BWD_FIRST_LAYER, conv_bwd},
    {ComputeOp::MAXPOOL_FP32_FWD, maxpool_fwd},
    {ComputeOp::MAXPOOL_FP32_BWD, maxpool_bwd},
    {ComputeOp::RELU_FP32_FWD, relu_fwd},
    {ComputeOp::RELU_FP32_BWD, relu_bwd},
    {ComputeOp::SOFTMAX_CE_FP32_FWD, softmax_ce_fwd},
    {ComputeOp::SOFTMAX_CE_FP32_BWD, softmax_ce_bwd},
    {ComputeOp::METRICS, metrics},
    {ComputeOp::SCALAR_INCREMENT, scalar_increment},
    {RangeOp::RANGE_CLEAR, range_clear},
    {RangeOp::RANGE_SGD_UPDATE, range_sgd},
};

}  // namespace

std::optional<TensorValues> expected_outputs(const OpCase& op_case, const TensorValues& before) {
  const auto* const found =
      std::find_if(std::begin(kExpectations), std::end(kExpectations),
                   [&](const Expectation& e) { return e.kind == op_case.op.kind; });
  if (found == std::end(kExpectations)) return std::nullopt;
  return found->answer({op_case, before});
}

}  // namespace quintet
