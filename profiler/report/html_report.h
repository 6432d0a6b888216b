/// The report as one self-contained HTML file: no network, no other file, light and dark.
#pragma once

#include <string>

#include "profiler/report/json_parts.h"
#include "profiler/report/report.h"

namespace quintet {

/// At most 2 MB whatever the recording: a handful of steps is drawn, long lists are cut and
/// say so. Names of the trace are only ever data: they cannot end the script that holds them.
std::string html_report(const Report& report);

/// What the page draws, as its script reads it: for pages that show a report among other things.
OrderedJson html_report_data(const Report& report);

}  // namespace quintet
