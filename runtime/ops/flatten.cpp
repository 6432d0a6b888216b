#include "runtime/ops/flatten.h"

#include <cassert>
#include <fmt/format.h>

namespace quintet {

Result<Shape> flatten_output_shape(const Shape& x) {
  if (x.rank() < 2) {
    return fail(fmt::format("flatten needs an input of rank 2 or more, got {}", x.text()),
                "give it a batch of images");
  }
  return Shape{x.dim(0), x.elements() / x.dim(0)};
}

std::vector<Task> lower_flatten([[maybe_unused]] const Op& op,
                                [[maybe_unused]] const TensorTable& tensors) {
  assert(op.inputs.size() == 1 && op.outputs.size() == 1);
  assert(tensors.storage_of(op.outputs[0]).id == tensors.storage_of(op.inputs[0]).id);
  return {};
}

}  // namespace quintet
