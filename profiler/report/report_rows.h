/// Parts of a report that come of the whole recording, not of its steps: clocks and named ranges.
#pragma once

#include <vector>

#include "profiler/report/report.h"

namespace quintet {

/// All clocks but the trace's own.
std::vector<ReportClock> report_clocks(const Trace& trace);

/// Fills the report's ranges and counts what belongs to none; nothing where no range launched work.
void list_ranges(const Trace& trace, const RangeOptions& options, Report& report);

}  // namespace quintet
