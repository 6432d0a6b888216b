/// Golden files: what a writer wrote when a person last looked at it.
#pragma once

#include <string>

namespace quintet {

/// Fails with a line-by-line difference where `actual` is not the content of
/// tests/profiler/<room>/golden/<name>. QUINTET_UPDATE_GOLDEN=1 rewrites the file instead.
void expect_golden(const std::string& name, const std::string& actual,
                   const std::string& room = "report");

}  // namespace quintet
