/// Cases of AMP kinds: those of the FP32 kinds with halves for floats.
#pragma once

#include <optional>

#include "tests/runtime/ops/op_cases.h"

namespace quintet {

/// CONV_FP32_FWD of CONV_AMP_FWD; nothing of a kind that is not AMP.
std::optional<OpKind> fp32_twin_of(OpKind kind);

/// The case with activations, weights and gradients as F16; what networks keep in F32 stays so:
/// statistics, scale and shift of batch normalisation, what activations save, probabilities, losses
/// and scalars. The backward of the loss gets its loss_scale.
OpCase in_amp(const OpCase& fp32, OpKind kind);

}  // namespace quintet
