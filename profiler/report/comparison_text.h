/// Two recordings side by side for people at a terminal.
#pragma once

#include <string>

#include "profiler/report/report.h"
#include "profiler/report/text_report.h"

namespace quintet {

/// The step, concurrency, overlap and wait metrics of both, with what changed from `a` to `b`.
/// Nothing is tested for significance: the spreads beside the medians say how far to trust them.
std::string comparison_text(const Report& a, const Report& b, const TextOptions& options = {});

}  // namespace quintet
