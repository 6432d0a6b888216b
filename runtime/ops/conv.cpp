#include "runtime/ops/conv.h"

#include <cassert>
#include <fmt/format.h>
#include <utility>

#include "runtime/ops/task_parts.h"
#include "runtime/ops/window_shape.h"

namespace quintet {

namespace {

constexpr std::int64_t kMaxChannels = 1 << 24;

/// Operations of one pass over all taps, those in the padding included.
double tap_flops(const TensorTable& tensors, TensorId y, double channels, const Op& op) {
  const auto& window = std::get<Window>(op.attributes);
  return 2 * elements_of(tensors, y) * channels * static_cast<double>(window.kernel_h) *
         static_cast<double>(window.kernel_w);
}

double channels_of(const TensorTable& tensors, TensorId x) {
  return static_cast<double>(tensors[x].shape.dim(-1));
}

Task weight_gradient(const TensorTable& tensors, const Op& op, TensorId dy, TensorId x,
                     TensorId dw) {
  return make_part(tensors, TaskPart::dW, {read_of(x), read_of(dy), update_of(dw)},
                   tap_flops(tensors, dy, channels_of(tensors, x), op));
}

Task conv_bias_gradient(const TensorTable& tensors, TensorId dy, TensorId db) {
  return make_part(tensors, TaskPart::dB, {read_of(dy), update_of(db)}, elements_of(tensors, dy));
}

}  // namespace

Result<Shape> conv_output_shape(const Shape& x, const Window& window, std::int64_t out_channels) {
  const Result<WindowCounts> counts = count_windows("convolution", x, window);
  if (!counts) return tl::unexpected<Error>(counts.error());
  if (out_channels < 1 || out_channels > kMaxChannels) {
    return fail(fmt::format("convolution has {} output channels", out_channels),
                fmt::format("give a number between 1 and {}", kMaxChannels));
  }
  return Shape{x.dim(0), counts->h, counts->w, out_channels};
}

Shape conv_weight_shape(const Shape& x, const Window& window, std::int64_t out_channels) {
  return Shape{window.kernel_h, window.kernel_w, x.dim(-1), out_channels};
}

std::vector<Task> lower_conv_fwd(const Op& op, const TensorTable& tensors) {
  assert((op.inputs.size() == 2 || op.inputs.size() == 3) && op.outputs.size() == 1);
  const TensorId x = op.inputs[0];
  const TensorId y = op.outputs[0];
  double flops = tap_flops(tensors, y, channels_of(tensors, x), op);
  std::vector<Operand> operands = {read_of(x), read_of(op.inputs[1]), write_of(y)};
  if (op.inputs.size() == 3) {
    operands.push_back(read_of(op.inputs[2]));
    flops += elements_of(tensors, y);
  }
  return {make_part(tensors, TaskPart::Y, std::move(operands), flops)};
}

std::vector<Task> lower_conv_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 3 && (op.outputs.size() == 2 || op.outputs.size() == 3));
  const TensorId dy = op.inputs[0];
  const TensorId x = op.inputs[1];
  std::vector<Task> tasks = {weight_gradient(tensors, op, dy, x, op.outputs[0])};
  if (op.outputs.size() == 3) tasks.push_back(conv_bias_gradient(tensors, dy, op.outputs[1]));
  for (Task& task : tasks)
    task.representative = false;
  tasks.push_back(make_part(tensors, TaskPart::dX,
                            {read_of(dy), read_of(op.inputs[2]), write_of(op.outputs.back())},
                            tap_flops(tensors, dy, channels_of(tensors, x), op)));
  return tasks;
}

std::vector<Task> lower_conv_bwd_first_layer(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && (op.outputs.size() == 1 || op.outputs.size() == 2));
  std::vector<Task> tasks = {
      weight_gradient(tensors, op, op.inputs[0], op.inputs[1], op.outputs[0])};
  if (op.outputs.size() == 2) {
    tasks.push_back(conv_bias_gradient(tensors, op.inputs[0], op.outputs[1]));
    tasks.back().representative = false;
  }
  return tasks;
}

}  // namespace quintet
