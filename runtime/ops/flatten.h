/// Flatten: a view of NHWC as [N, HWC]. It moves nothing and becomes no task; Y is a tensor with
/// view_of X.
///
/// op kind | inputs | outputs          | task
/// FLATTEN | X      | Y (view_of = X)  | none
#pragma once

#include <vector>

#include "runtime/model/op.h"
#include "runtime/model/result.h"
#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

/// Shape of Y: first dimension kept, the rest multiplied. Error: X of rank below 2.
Result<Shape> flatten_output_shape(const Shape& x);

std::vector<Task> lower_flatten(const Op& op, const TensorTable& tensors);

}  // namespace quintet
