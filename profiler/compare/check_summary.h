/// The verdict of a regression check for people: at a terminal, and in a pull request.
#pragma once

#include <string>

#include "profiler/compare/regression_check.h"

namespace quintet {

/// Verdict, step time, and the layers and tasks that grew most, `rows` of each.
std::string check_text(const RegressionCheck& check, bool unicode = true, std::size_t rows = 5);

/// The same in GitHub's Markdown; names of a recording cannot break out of their cells.
std::string check_markdown(const RegressionCheck& check, std::size_t rows = 5);

}  // namespace quintet
