/// The updates of optimizers in double, written from their definitions: what kernels are judged by.
#pragma once

#include "tests/support/reference_ops.h"

namespace quintet::reference {

/// One step of Adam in place; `correction` as runtime/ops/adam.h defines it. AdamW: `decoupled`.
void adam(const AdamHyper& hyper, bool decoupled, double lr, const Values& correction,
          const Values& gradients, Values& weights, Values& momentum, Values& variance);

/// {1 / (1 - beta1^t), 1 / (1 - beta2^t)}.
Values adam_correction(const AdamHyper& hyper, double t);

/// One step of LARS on one tensor, in place.
void lars(const LarsHyper& hyper, double lr, const Values& gradients, Values& weights,
          Values& momentum);

}  // namespace quintet::reference
