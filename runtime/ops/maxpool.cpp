#include "runtime/ops/maxpool.h"

#include <cassert>
#include <fmt/format.h>

#include "runtime/ops/task_parts.h"
#include "runtime/ops/window_shape.h"

namespace quintet {

namespace {

constexpr std::int64_t kMaxCells = 255;

}  // namespace

Result<Shape> pool_output_shape(const Shape& x, const Window& window) {
  const Result<WindowCounts> counts = count_pool_windows("max-pooling", x, window);
  if (!counts) return tl::unexpected<Error>(counts.error());
  if (window.kernel_h * window.kernel_w > kMaxCells) {
    return fail(
        fmt::format("max-pooling has a window of {}x{} = {} cells, more than {}", window.kernel_h,
                    window.kernel_w, window.kernel_h * window.kernel_w, kMaxCells),
        "use a smaller kernel");
  }
  return Shape{x.dim(0), counts->h, counts->w, x.dim(3)};
}

std::vector<Task> lower_maxpool_fwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && (op.outputs.size() == 1 || op.outputs.size() == 2));
  const auto& window = std::get<Window>(op.attributes);
  std::vector<Operand> operands = {read_of(op.inputs[0])};
  for (const TensorId output : op.outputs)
    operands.push_back(write_of(output));
  const auto comparisons = static_cast<double>(window.kernel_h * window.kernel_w - 1);
  return {make_part(tensors, TaskPart::Y, std::move(operands),
                    comparisons * elements_of(tensors, op.outputs[0]))};
}

std::vector<Task> lower_maxpool_bwd(const Op& op, const TensorTable& tensors) {
  assert(op.inputs.size() == 2 && op.outputs.size() == 1);
  return {make_part(tensors, TaskPart::dX,
                    {read_of(op.inputs[0]), read_of(op.inputs[1]), write_of(op.outputs[0])},
                    elements_of(tensors, op.inputs[0]))};
}

}  // namespace quintet
