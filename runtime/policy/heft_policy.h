/// Heterogeneous earliest finish time (Topcuoglu et al., 2002): tasks by falling
/// upward rank, each where it would finish first beside what is placed already.
#pragma once

#include "runtime/policy/step_mapping.h"

namespace quintet {

/// In ns: from the end of a task to the begin of one on another stream that waits for it.
inline constexpr double kHeftArcNs = 1000;

struct HeftSchedule {
  StepMapping mapping;
  double makespan_ns = 0;  ///< in HEFT's own model
  double serial_ns = 0;    ///< all tasks one after the other
};

/// COMP_1 to COMP_3, and UPDATE for what makes weights of gradients. A task beside others has only what they leave of the device: where
/// they fill it, it waits. Gaps are filled. Issue order is the order of begins. Where the result is
/// no shorter than one stream in this model, it is one stream.
HeftSchedule heft_schedule(const StepDag& dag);

StepMapping heft_mapping(const StepDag& dag);

}  // namespace quintet
