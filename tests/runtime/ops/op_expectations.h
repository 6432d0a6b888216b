/// What an op's outputs must be, computed in double by the references.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "tests/runtime/ops/op_cases.h"

namespace quintet {

using TensorValues = std::map<TensorId, std::vector<double>>;

/// Values of every tensor that the op writes or updates, from those of all tensors before it ran;
/// nothing where no reference is listed for the kind.
std::optional<TensorValues> expected_outputs(const OpCase& op_case, const TensorValues& before);

}  // namespace quintet
