/// Why each task of a mapping is where it is, in ns of the step.
#pragma once

#include "scenarios/lab/mapped_step.h"

namespace quintet {

/// The mapping with a reason for each task: how much longer the step would be with this task alone on
/// COMP_1, or, of one that is there, on the next best stream.
StepMapping with_reasons(MappedStep& step, StepMapping mapping, double step_ns);

}  // namespace quintet
