/// Op cases of the sizes that networks have: ResNet-50's layers and parameters, for kernels whose
/// grids only fill, and whose sums only grow long, at such sizes.
#pragma once

#include <vector>

#include "tests/runtime/ops/op_cases.h"

namespace quintet {

/// A named maker, so that a test can list cases without making them.
struct LargeCase {
  const char* name = nullptr;
  OpCase (*make)() = nullptr;
};

/// FP32 layers, each with all its outputs. AMP cases come from them by in_amp().
std::vector<LargeCase> large_layer_cases();

/// Ranges of some million elements of odd sizes; casts, LARS and checks over 161 tensors.
std::vector<LargeCase> large_update_cases();

}  // namespace quintet
