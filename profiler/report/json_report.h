/// The report for programs: one JSON object, schema "quintet.report" version 1, documented in
/// profiler/report/README.md.
#pragma once

#include <string>

#include "profiler/report/json_parts.h"
#include "profiler/report/report.h"

namespace quintet {

inline constexpr int kReportSchemaVersion = 1;

OrderedJson report_json(const Report& report);
/// The same as text with a final line break; `indent` < 0 = one line.
std::string json_report(const Report& report, int indent = 2);

}  // namespace quintet
