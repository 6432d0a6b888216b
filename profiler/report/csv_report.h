/// The report for spreadsheets and data frames: comma-separated, quoted as RFC 4180 says, lines end
/// in "\n".
#pragma once

#include <string>

#include "profiler/report/report.h"

namespace quintet {

/// tag,name,state,value,p05,p95,unit,hint,reason: one line per metric; value empty unless known.
std::string metrics_csv(const Report& report);

/// One line per task: what it is, where it ran, its times and slack.
std::string tasks_csv(const Report& report);

/// Both tables, parted by one empty line.
std::string csv_report(const Report& report);

}  // namespace quintet
