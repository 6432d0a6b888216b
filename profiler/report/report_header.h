/// The first lines of a text report: what was run, how, on what, and what the devices did in all.
#pragma once

#include <string>

#include "profiler/report/report.h"

namespace quintet {

/// Title (else the scenario), memo, policy, executor, hardware, data, clocks, verdict: one line each,
/// of what the recording says.
std::string report_header(const Report& report);

}  // namespace quintet
