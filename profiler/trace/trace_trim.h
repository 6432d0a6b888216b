/// Cuts a few steps out of a long trace, with all that belongs to them.
#pragma once

#include "profiler/trace/step_cut.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// The steps of `range`, and whatever serves one of them or touches their time: spans, untimed
/// activities, waits, launches. Of the plan it keeps what can run in them: tasks (accesses and all),
/// graphs, tensors and commands of the shape variants that occur. Activities that no longer occur
/// go. Lanes, regions, provenance and findings stay. Tasks, graphs and activities are numbered
/// anew; steps and times are not. What was left out is counted in the finding "trimmed".
Trace trim_trace(const Trace& trace, StepRange range);

}  // namespace quintet
