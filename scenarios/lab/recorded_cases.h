/// Recordings of the same runs under several policies as what constants of a device are fitted to.
#pragma once

#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/whatif/model_fit.h"
#include "runtime/model/result.h"

namespace quintet {

struct NamedTrace {
  std::string name;  ///< for errors and tables
  Trace trace;
};

/// Recordings of one scenario become one case, cases in the order of their first recording: costs
/// are those of the recording on one stream in whole steps, the others are plans that were measured
/// by their untraced step times. Errors: a scenario with no such recording, or with no other; a
/// recording whose step time is unknown; recordings of several devices; those of
/// Replanner::of_trace() and plan().
Result<std::vector<FitCase>> fit_cases_of(std::vector<NamedTrace> recordings);

}  // namespace quintet
