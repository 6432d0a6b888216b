/// The verdict of a regression check as JUnit XML, which build servers read.
#pragma once

#include <string>

#include "profiler/compare/regression_check.h"

namespace quintet {

/// One test case, failed on a regression; the layers and tasks that grew stand in the failure.
/// Well-formed whatever the recording's names hold.
std::string check_junit(const RegressionCheck& check);

}  // namespace quintet
