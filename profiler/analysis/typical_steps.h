/// A few steps in a row that show what a step of a recording is like.
#pragma once

#include <cstddef>

#include "profiler/trace/step_cut.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// Of all rows of `count` timed steps whose spans were all recorded, the one whose mean length is
/// nearest to the median of all timed steps (the first of equals); with the kWarmUpSteps recorded
/// steps before it, so that the same steps are timed in a trace that holds nothing else. Errors:
/// there is no such row.
Result<StepRange> typical_steps(const Trace& trace, std::size_t count);

}  // namespace quintet
