#include "runtime/ops/avgpool.h"

#include <cassert>

#include "runtime/ops/task_parts.h"
#include "runtime/ops/window_shape.h"

namespace quintet {

namespace {

/// Cells of a window, those in the padding included.
double cells_of(const Op& op) {
  const auto& window = std::get<Window>(op.attributes);
  return static_cast<double>(window.kernel_h) * static_cast<double>(window.kernel_w);
}

}  // namespace

Result<Shape> avgpool_output_shape(const Shape& x, const Window& window) {
  const Result<WindowCounts> counts = count_pool_windows("average-pooling", x, window);
  if (!counts) return tl::unexpected<Error>(counts.error());
  return Shape{x.dim(0), counts->h, counts->w, x.dim(3)};
}

std::vector<Task> lower_avgpool_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && op.outputs.size() == 1);
  // One addition less than cells, and a division.
  return {make_part(tensors, TaskPart::Y, {read_of(op.inputs[0]), write_of(op.outputs[0])},
                    cells_of(op) * elements_of(tensors, op.outputs[0]))};
}

std::vector<Task> lower_avgpool_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && op.outputs.size() == 1);
  // A division, and an addition for each cell.
  return {make_part(tensors, TaskPart::dX, {read_of(op.inputs[0]), write_of(op.outputs[0])},
                    (cells_of(op) + 1) * elements_of(tensors, op.inputs[0]))};
}

}  // namespace quintet
