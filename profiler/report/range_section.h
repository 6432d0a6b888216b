/// The named ranges of a recording by the device work that they launched, as text.
#pragma once

#include <string>

#include "profiler/report/report.h"
#include "profiler/report/text_report.h"

namespace quintet {

/// A heading, a table of the busiest ranges, and what belongs to none; empty without ranges.
std::string range_section(const Report& report, const TextOptions& options);

}  // namespace quintet
