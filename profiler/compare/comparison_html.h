/// A comparison as one self-contained HTML file: both timelines under each other, tables below.
#pragma once

#include <string>

#include "profiler/compare/comparison.h"
#include "profiler/report/report.h"

namespace quintet {

/// `a` and `b`: reports of the first recording of each side. Style, small tools and timeline are
/// those of the report's page. Lists of tasks are cut at a thousand and say so. Names of the
/// recordings are only ever data.
std::string comparison_html(const Comparison& comparison, const Report& a, const Report& b);

}  // namespace quintet
