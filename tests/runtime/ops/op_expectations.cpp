#include "tests/runtime/ops/op_expectations.h"

#include <algorithm>

#include "tests/runtime/ops/amp_cases.h"
#include "tests/runtime/ops/op_question.h"
#include "tests/support/reference_ops.h"

namespace quintet {

namespace {

using reference::FcSizes;
using reference::Indices;
using reference::Values;
using reference::WindowedSizes;

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

/// B of a forward layer; zeros where it has none.
Values bias_of(const Question& q, std::int64_t columns) {
  if (q.op_case.op.inputs.size() > 2) return q.in(2);
  return Values(static_cast<std::size_t>(columns), 0.0);
}

/// Of a backward layer: outputs are dW, dB where there is a bias, dX where W is an input.
bool has_dx(const Question& q) {
  return q.op_case.op.inputs.size() > 2;
}
bool has_db(const Question& q) {
  return q.outputs() == (has_dx(q) ? 3 : 2);
}

TensorValues fc_fwd(const Question& q) {
  const FcSizes s = fc_sizes(q.in_shape(0), q.out_shape(0));
  return {{q.out(0), reference::fc_forward(s, q.in(0), q.in(1), bias_of(q, s.o))}};
}

TensorValues fc_bwd(const Question& q) {
  const FcSizes s = fc_sizes(q.in_shape(1), q.in_shape(0));
  TensorValues values = {
      {q.out(0), q.added_to(0, reference::fc_weight_gradient(s, q.in(1), q.in(0)))}};
  if (has_db(q)) values[q.out(1)] = q.added_to(1, reference::bias_gradient(s.o, q.in(0)));
  if (has_dx(q)) values[q.out(q.outputs() - 1)] = reference::fc_input_gradient(s, q.in(0), q.in(2));
  return values;
}

TensorValues conv_fwd(const Question& q) {
  const WindowedSizes s = windowed(q, q.in_shape(0), q.out_shape(0));
  return {{q.out(0), reference::conv_forward(s, q.in(0), q.in(1), bias_of(q, s.out_c))}};
}

TensorValues conv_bwd(const Question& q) {
  const WindowedSizes s = windowed(q, q.in_shape(1), q.in_shape(0));
  TensorValues values = {
      {q.out(0), q.added_to(0, reference::conv_weight_gradient(s, q.in(1), q.in(0)))}};
  if (has_db(q)) values[q.out(1)] = q.added_to(1, reference::bias_gradient(s.out_c, q.in(0)));
  if (has_dx(q))
    values[q.out(q.outputs() - 1)] = reference::conv_input_gradient(s, q.in(0), q.in(2));
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

double smoothing(const Question& q) {
  const auto* const hyper = std::get_if<LossHyper>(&q.op_case.op.attributes);
  return hyper == nullptr ? 0.0 : static_cast<double>(hyper->smoothing);
}

TensorValues softmax_ce_fwd(const Question& q) {
  const std::int64_t classes = q.in_shape(0).dim(1);
  return {{q.out(0), reference::softmax(classes, q.in(0))},
          {q.out(1), reference::cross_entropy(classes, q.in(0), q.indices(1), smoothing(q))}};
}

TensorValues softmax_ce_bwd(const Question& q) {
  const std::int64_t classes = q.in_shape(0).dim(1);
  return {{q.out(0), reference::softmax_ce_backward(classes, q.in(0), q.indices(1), smoothing(q))}};
}

TensorValues metrics(const Question& q) {
  const std::int64_t classes = q.in_shape(1).dim(1);
  return {{q.out(0), reference::metrics(classes, q.in(0), q.in(1), q.indices(2))}};
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
  const bool skip = q.op_case.op.inputs.size() > 1 && q.in(1)[0] != 0;
  const auto weights = tensors_in(q, q.op_case.op.regions[0]);
  const auto gradients = tensors_in(q, q.op_case.op.regions[1]);
  const auto momentum = tensors_in(q, q.op_case.op.regions[2]);
  TensorValues values;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    values[weights[i]] = q.before.at(weights[i]);
    values[momentum[i]] = q.before.at(momentum[i]);
    if (skip) continue;
    reference::sgd(std::get<SgdHyper>(q.op_case.op.attributes), q.in(0)[0],
                   q.before.at(gradients[i]), values[weights[i]], values[momentum[i]]);
  }
  return values;
}

constexpr Expectation kOpExpectations[] = {
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

std::optional<TensorValues> amp_outputs(const OpCase& op_case, OpKind twin,
                                        const TensorValues& before) {
  OpCase fp32 = op_case;
  fp32.op.kind = twin;
  std::optional<TensorValues> values = expected_outputs(fp32, before);
  if (values && op_case.op.kind == OpKind(ComputeOp::SOFTMAX_CE_AMP_BWD)) {
    for (double& gradient : values->at(op_case.op.outputs[0]))
      gradient *= before.at(op_case.op.inputs[2])[0];
  }
  return values;
}

}  // namespace

std::optional<TensorValues> expected_outputs(const OpCase& op_case, const TensorValues& before) {
  // The FP32 reference judges AMP too: it starts from the halves, which are exact in double.
  if (const std::optional<OpKind> twin = fp32_twin_of(op_case.op.kind))
    return amp_outputs(op_case, *twin, before);
  for (const std::span<const Expectation> list : {std::span<const Expectation>(kOpExpectations),
                                                  layer_expectations(), update_expectations()}) {
    const auto found = std::find_if(
        list.begin(), list.end(), [&](const Expectation& e) { return e.kind == op_case.op.kind; });
    if (found != list.end()) return found->answer({op_case, before});
  }
  return std::nullopt;
}

}  // namespace quintet
