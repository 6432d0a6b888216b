/// A part of a trace: some of its steps and what ran for them.
#pragma once

#include <string_view>

#include "profiler/trace/step_cut.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// "3..7", or "3" for one step. Errors: anything else, numbers below 0, an end before its begin.
Result<StepRange> parse_step_range(std::string_view text);

/// Removes all steps outside the range, with spans, waits, launches and untimed activities that
/// serve them. What serves no step stays where it overlaps the time of the steps that stay. The
/// plan stays whole; the provenance key `exported_steps` tells the range. Errors: the trace has no
/// such step.
Result<void> keep_steps(Trace& trace, StepRange range);

}  // namespace quintet
