/// The fused lowering of gradients that are not accumulated: a part that is the only one of a step
/// to add to a gradient overwrites it instead, and nothing need be cleared before.
///
/// Parts: dW, dB, the dgamma and dbeta of BN*_BWD, RANGE_CAST_FP16_TO_FP32. Their kernels look at the
/// operand's mode (TaskArgs::adds): update = add, write = overwrite. The same bits: 0 + x is x.
/// RANGE_CLEAR has no task then. Not done where micro-batches are accumulated.
#pragma once

#include <vector>

#include "runtime/model/task.h"
#include "runtime/model/tensor.h"

namespace quintet {

/// Changes the tasks of a lowered training graph so, all of them or none.
void overwrite_gradients(std::vector<Task>& tasks, const TensorTable& tensors);

}  // namespace quintet
