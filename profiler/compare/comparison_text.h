/// A comparison for people at a terminal.
#pragma once

#include <string>

#include "profiler/compare/comparison.h"
#include "profiler/report/text_report.h"

namespace quintet {

/// Step time, caveats, both median steps on one scale, metrics, layers, tasks, what moved. `a` and
/// `b`: reports of the first recording of each side.
std::string comparison_text(const Comparison& comparison, const Report& a, const Report& b,
                            const TextOptions& options = {});

}  // namespace quintet
