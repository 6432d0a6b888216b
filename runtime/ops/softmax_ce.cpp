#include "runtime/ops/softmax_ce.h"

#include <cassert>
#include <utility>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

// Per element: maximum, subtraction, exponential, sum, division.
constexpr double kLossForwardFlops = 5;
// Label smoothing sums the logits too.
constexpr double kSmoothingFlops = 1;
// Per element: subtraction, division.
constexpr double kLossBackwardFlops = 2;

}  // namespace

float smoothing_of(const OpAttributes& attributes) {
  const auto* const hyper = std::get_if<LossHyper>(&attributes);
  return hyper == nullptr ? 0.0F : hyper->smoothing;
}

std::vector<Task> lower_softmax_ce_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 2);
  const double flops =
      kLossForwardFlops + (smoothing_of(op.attributes) != 0.0F ? kSmoothingFlops : 0.0);
  return {make_part(tensors, TaskPart::Y,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0]),
                     write_of(op.outputs[1])},
                    flops * elements_of(tensors, op.inputs[0]))};
}

std::vector<Task> lower_softmax_ce_bwd(const Op& op, const TensorTable& tensors) {
  const bool scaled = op.kind == OpKind(ComputeOp::SOFTMAX_CE_AMP_BWD);
  assert(op.inputs.size() == (scaled ? 3U : 2U) && op.outputs.size() == 1);
  std::vector<Operand> operands = {read_of(op.inputs[0]), read_of(op.inputs[1]),
                                   write_of(op.outputs[0])};
  if (scaled) operands.push_back(read_of(op.inputs[2]));
  return {make_part(tensors, TaskPart::dX, std::move(operands),
                    kLossBackwardFlops * elements_of(tensors, op.outputs[0]))};
}

}  // namespace quintet
