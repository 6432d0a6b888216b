/// Weight gradients out of the way of the critical path (out-of-order backprop, Oh et al., EuroSys
/// 2022): nothing but the optimizer reads them, so they run beside, at low priority.
#pragma once

#include "runtime/policy/step_mapping.h"

namespace quintet {

/// dW and dB on COMP_2 at the lowest priority; the optimizer and what belongs to it on UPDATE; all
/// else, the critical path, on COMP_1 and more urgent. The priority is what delays a dW: it begins
/// where the trunk leaves room, and before the optimizer at the latest. Needs separate gradients: in
/// place, dX waits for dW.
StepMapping ooo_wgrad_mapping(const StepDag& dag);

}  // namespace quintet
