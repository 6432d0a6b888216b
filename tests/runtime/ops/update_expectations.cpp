#include <algorithm>
#include <cmath>

#include "tests/runtime/ops/op_question.h"
#include "tests/support/reference_updates.h"

namespace quintet {

namespace {

using reference::Values;

/// True where the op's input `slot` exists and says that a gradient overflowed.
bool skips(const Question& q, std::size_t slot) {
  return q.op_case.op.inputs.size() > slot && q.in(slot)[0] != 0;
}

template <class Hyper>
const Hyper& hyper_of(const Question& q) {
  return std::get<Hyper>(q.op_case.op.attributes);
}

/// What every output held before.
TensorValues unchanged(const Question& q) {
  TensorValues values;
  for (const TensorId output : q.op_case.op.outputs)
    values[output] = q.before.at(output);
  for (const RegionKind region : q.op_case.op.regions) {
    for (const TensorId id : tensors_in(q, region))
      values[id] = q.before.at(id);
  }
  return values;
}

TensorValues adam_bias_correction(const Question& q) {
  if (skips(q, 0)) return unchanged(q);
  const double t = q.before.at(q.out(0))[0] + 1;
  return {{q.out(0), {t}}, {q.out(1), reference::adam_correction(hyper_of<AdamHyper>(q), t)}};
}

template <bool decoupled>
TensorValues range_adam(const Question& q) {
  TensorValues values = unchanged(q);
  if (skips(q, 2)) return values;
  const std::vector<RegionKind>& regions = q.op_case.op.regions;
  const auto weights = tensors_in(q, regions[0]);
  const auto gradients = tensors_in(q, regions[1]);
  const auto momentum = tensors_in(q, regions[2]);
  const auto variance = tensors_in(q, regions[3]);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    reference::adam(hyper_of<AdamHyper>(q), decoupled, q.in(0)[0], q.in(1),
                    q.before.at(gradients[i]), values[weights[i]], values[momentum[i]],
                    values[variance[i]]);
  }
  return values;
}

TensorValues lars(const Question& q) {
  TensorValues values = unchanged(q);
  const std::size_t tensors = q.outputs() / 2;
  if (skips(q, tensors + 1)) return values;
  for (std::size_t i = 0; i < tensors; ++i) {
    reference::lars(hyper_of<LarsHyper>(q), q.in(0)[0], q.in(i + 1), values[q.out(2 * i)],
                    values[q.out(2 * i + 1)]);
  }
  return values;
}

TensorValues range_ema(const Question& q) {
  TensorValues values = unchanged(q);
  if (skips(q, 0)) return values;
  const auto averages = tensors_in(q, q.op_case.op.regions[0]);
  const auto weights = tensors_in(q, q.op_case.op.regions[1]);
  const auto decay = static_cast<double>(hyper_of<EmaHyper>(q).decay);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    Values& average = values[averages[i]];
    for (std::size_t k = 0; k < average.size(); ++k)
      average[k] = decay * average[k] + (1 - decay) * q.before.at(weights[i])[k];
  }
  return values;
}

TensorValues cast_to_fp16(const Question& q) {
  TensorValues values;
  for (std::size_t i = 0; i < q.outputs(); ++i)
    values[q.out(i)] = q.in(i);
  return values;
}

TensorValues cast_to_fp32(const Question& q) {
  TensorValues values;
  for (std::size_t i = 0; i < q.outputs(); ++i)
    values[q.out(i)] = q.added_to(i, q.in(i));
  return values;
}

TensorValues check_nan(const Question& q) {
  bool finite = true;
  const auto look_at = [&](TensorId id) {
    for (const double value : q.before.at(id))
      finite = finite && std::isfinite(value);
  };
  for (const TensorId input : q.op_case.op.inputs)
    look_at(input);
  for (const RegionKind region : q.op_case.op.regions) {
    for (const TensorId id : tensors_in(q, region))
      look_at(id);
  }
  return {{q.out(0), {finite ? 0.0 : 1.0}}};
}

TensorValues scale_gradients(const Question& q) {
  TensorValues values = unchanged(q);
  if (skips(q, 1)) return values;
  double divisor = hyper_of<GradientScaleHyper>(q).micro_batches;
  if (!q.op_case.op.inputs.empty()) divisor *= q.in(0)[0];
  for (auto& [id, gradients] : values) {
    for (double& gradient : gradients)
      gradient /= divisor;
  }
  return values;
}

TensorValues loss_scale_update(const Question& q) {
  const auto& hyper = hyper_of<LossScaleHyper>(q);
  const double scale = q.before.at(q.out(0))[0];
  const double good = q.before.at(q.out(1))[0];
  if (skips(q, 0)) {
    return {{q.out(0), {std::max(scale / 2, static_cast<double>(hyper.minimum))}}, {q.out(1), {0}}};
  }
  if (good + 1 < hyper.growth_interval) return {{q.out(0), {scale}}, {q.out(1), {good + 1}}};
  return {{q.out(0), {std::min(scale * 2, static_cast<double>(hyper.maximum))}}, {q.out(1), {0}}};
}

constexpr Expectation kUpdateExpectations[] = {
    {ComputeOp::LOSS_SCALE_UPDATE, loss_scale_update},
    {ComputeOp::ADAM_BIAS_CORRECTION, adam_bias_correction},
    {ComputeOp::LARS_UPDATE_FC, lars},
    {ComputeOp::LARS_UPDATE_FIRST, lars},
    {ComputeOp::LARS_UPDATE_DEEP, lars},
    {RangeOp::RANGE_CAST_FP32_TO_FP16, cast_to_fp16},
    {RangeOp::RANGE_CAST_FP16_TO_FP32, cast_to_fp32},
    {RangeOp::RANGE_EMA_PARAM_UPDATE, range_ema},
    {RangeOp::RANGE_CHECK_NAN, check_nan},
    {RangeOp::RANGE_ADAM_UPDATE, range_adam<false>},
    {RangeOp::RANGE_ADAMW_UPDATE, range_adam<true>},
    {RangeOp::RANGE_SCALE_GRADIENTS, scale_gradients},
};

}  // namespace

std::span<const Expectation> update_expectations() {
  return kUpdateExpectations;
}

}  // namespace quintet
