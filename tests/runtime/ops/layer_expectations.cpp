#include "tests/runtime/ops/op_question.h"
#include "tests/support/reference_layers.h"

namespace quintet {

namespace {

using reference::BatchNormSizes;
using reference::GapSizes;
using reference::Values;
using reference::WindowedSizes;

double alpha_of(const Question& q) {
  const auto* const hyper = std::get_if<SlopeHyper>(&q.op_case.op.attributes);
  return hyper == nullptr ? 0.0 : static_cast<double>(hyper->alpha);
}

template <Activation function>
TensorValues activation_fwd(const Question& q) {
  TensorValues values = {{q.out(0), reference::activation_forward(function, q.in(0), alpha_of(q))}};
  if (q.outputs() > 1)
    values[q.out(1)] = reference::activation_saved(function, q.in(0), alpha_of(q));
  return values;
}

template <Activation function>
TensorValues activation_bwd(const Question& q) {
  return {{q.out(0), reference::activation_backward(function, q.in(0), q.in(1), alpha_of(q))}};
}

BatchNormSizes batch_norm_sizes(const Shape& x) {
  return {x.elements() / x.dim(-1), x.dim(-1)};
}

TensorValues batch_norm_fwd(const Question& q) {
  const BatchNormSizes s = batch_norm_sizes(q.in_shape(0));
  const auto epsilon =
      static_cast<double>(std::get<BatchNormHyper>(q.op_case.op.attributes).epsilon);
  const Values& x = q.in(0);
  Values stats = reference::batch_mean(s, x);
  const Values unbiased = reference::batch_variance(s, x, 1);
  stats.insert(stats.end(), unbiased.begin(), unbiased.end());
  return {{q.out(0), reference::batch_norm_forward(s, x, q.in(1), q.in(2), epsilon)},
          {q.out(1), reference::batch_mean(s, x)},
          {q.out(2), reference::batch_inv_std(s, x, epsilon)},
          {q.out(3), stats}};
}

TensorValues batch_norm_bwd(const Question& q) {
  const BatchNormSizes s = batch_norm_sizes(q.in_shape(0));
  const Values& dy = q.in(0);
  const Values& x = q.in(1);
  return {
      {q.out(0), q.added_to(0, reference::batch_norm_gamma_gradient(s, dy, x, q.in(3), q.in(4)))},
      {q.out(1), q.added_to(1, reference::bias_gradient(s.channels, dy))},
      {q.out(2), reference::batch_norm_input_gradient(s, dy, x, q.in(2), q.in(3), q.in(4))}};
}

TensorValues batch_norm_inf(const Question& q) {
  return {{q.out(0),
           reference::batch_norm_inference(batch_norm_sizes(q.in_shape(0)), q.in(0), q.in(1))}};
}

TensorValues batch_norm_eq(const Question& q) {
  const auto epsilon =
      static_cast<double>(std::get<BatchNormHyper>(q.op_case.op.attributes).epsilon);
  return {{q.out(0), reference::batch_norm_eq(q.in(0), q.in(1), q.in(2), epsilon)}};
}

TensorValues range_bn_stats(const Question& q) {
  const auto momentum =
      static_cast<double>(std::get<BatchNormHyper>(q.op_case.op.attributes).momentum);
  const auto running = tensors_in(q, q.op_case.op.regions[0]);
  const auto batch = tensors_in(q, q.op_case.op.regions[1]);
  TensorValues values;
  for (std::size_t i = 0; i < running.size(); ++i) {
    Values& after = values[running[i]];
    after = q.before.at(running[i]);
    for (std::size_t k = 0; k < after.size(); ++k)
      after[k] = (1 - momentum) * after[k] + momentum * q.before.at(batch[i])[k];
  }
  return values;
}

TensorValues avgpool_fwd(const Question& q) {
  return {
      {q.out(0), reference::avgpool_forward(windowed(q, q.in_shape(0), q.out_shape(0)), q.in(0))}};
}

TensorValues avgpool_bwd(const Question& q) {
  return {
      {q.out(0), reference::avgpool_backward(windowed(q, q.out_shape(0), q.in_shape(0)), q.in(0))}};
}

GapSizes gap_sizes(const Shape& x) {
  return {x.dim(0), x.dim(1) * x.dim(2), x.dim(3)};
}

TensorValues gap_fwd(const Question& q) {
  return {{q.out(0), reference::gap_forward(gap_sizes(q.in_shape(0)), q.in(0))}};
}

TensorValues gap_bwd(const Question& q) {
  return {{q.out(0), reference::gap_backward(gap_sizes(q.out_shape(0)), q.in(0))}};
}

TensorValues add_of_two(const Question& q) {
  Values sum = q.in(0);
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] += q.in(1)[i];
  return {{q.out(0), sum}};
}

TensorValues dropout_fwd(const Question& q) {
  const auto& hyper = std::get<DropoutHyper>(q.op_case.op.attributes);
  const reference::Indices mask =
      reference::dropout_mask(hyper, static_cast<std::int64_t>(q.in(1)[0]), q.in(0).size());
  return {{q.out(0), reference::dropout(hyper, q.in(0), mask)}, {q.out(1), as_values(mask)}};
}

TensorValues dropout_bwd(const Question& q) {
  const auto& hyper = std::get<DropoutHyper>(q.op_case.op.attributes);
  return {{q.out(0), reference::dropout(hyper, q.in(0), q.indices(1))}};
}

constexpr Expectation kLayerExpectations[] = {
    {ComputeOp::BN1D_FP32_FWD, batch_norm_fwd},
    {ComputeOp::BN1D_FP32_BWD, batch_norm_bwd},
    {ComputeOp::BN1D_FP32_INF, batch_norm_inf},
    {ComputeOp::BN2D_FP32_FWD, batch_norm_fwd},
    {ComputeOp::BN2D_FP32_BWD, batch_norm_bwd},
    {ComputeOp::BN2D_FP32_INF, batch_norm_inf},
    {ComputeOp::AVGPOOL_FP32_FWD, avgpool_fwd},
    {ComputeOp::AVGPOOL_FP32_BWD, avgpool_bwd},
    {ComputeOp::GAP_FP32_FWD, gap_fwd},
    {ComputeOp::GAP_FP32_BWD, gap_bwd},
    {ComputeOp::DROPOUT_FP32_FWD, dropout_fwd},
    {ComputeOp::DROPOUT_FP32_BWD, dropout_bwd},
    {ComputeOp::TANH_FP32_FWD, activation_fwd<Activation::TANH>},
    {ComputeOp::TANH_FP32_BWD, activation_bwd<Activation::TANH>},
    {ComputeOp::SILU_FP32_FWD, activation_fwd<Activation::SILU>},
    {ComputeOp::SILU_FP32_BWD, activation_bwd<Activation::SILU>},
    {ComputeOp::RELU6_FP32_FWD, activation_fwd<Activation::RELU6>},
    {ComputeOp::RELU6_FP32_BWD, activation_bwd<Activation::RELU6>},
    {ComputeOp::LEAKY_RELU_FP32_FWD, activation_fwd<Activation::LEAKY_RELU>},
    {ComputeOp::LEAKY_RELU_FP32_BWD, activation_bwd<Activation::LEAKY_RELU>},
    {ComputeOp::SIGMOID_FP32_FWD, activation_fwd<Activation::SIGMOID>},
    {ComputeOp::SIGMOID_FP32_BWD, activation_bwd<Activation::SIGMOID>},
    {ComputeOp::HARDSWISH_FP32_FWD, activation_fwd<Activation::HARDSWISH>},
    {ComputeOp::HARDSWISH_FP32_BWD, activation_bwd<Activation::HARDSWISH>},
    {ComputeOp::ELU_FP32_FWD, activation_fwd<Activation::ELU>},
    {ComputeOp::ELU_FP32_BWD, activation_bwd<Activation::ELU>},
    {ComputeOp::ADD_FP32_FWD, add_of_two},
    {ComputeOp::ADD_FP32_BWD, add_of_two},
    {ComputeOp::BN_UPDATE_EQ_PARAMS, batch_norm_eq},
    {RangeOp::RANGE_BN_STATS_UPDATE, range_bn_stats},
};

}  // namespace

std::span<const Expectation> layer_expectations() {
  return kLayerExpectations;
}

}  // namespace quintet
