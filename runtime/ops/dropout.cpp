#include "runtime/ops/dropout.h"

#include <cassert>

#include "runtime/ops/task_parts.h"

namespace quintet {

namespace {

// A quarter of ten rounds of eight integer operations, a comparison and a multiplication.
constexpr double kMaskFlops = 22;

}  // namespace

std::uint32_t dropout_threshold(const DropoutHyper& hyper) {
  assert(hyper.probability >= 0.0F && hyper.probability < 1.0F);
  constexpr double kTwoTo32 = 4294967296.0;
  return static_cast<std::uint32_t>(static_cast<double>(hyper.probability) * kTwoTo32);
}

float dropout_scale(const DropoutHyper& hyper) {
  return static_cast<float>(1.0 / (1.0 - static_cast<double>(hyper.probability)));
}

std::vector<Task> lower_dropout_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 2);
  return {make_part(tensors, TaskPart::Y,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0]),
                     write_of(op.outputs[1])},
                    kMaskFlops * elements_of(tensors, op.inputs[0]))};
}

std::vector<Task> lower_dropout_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::dX,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0])},
                    elements_of(tensors, op.outputs[0]))};
}

}  // namespace quintet
