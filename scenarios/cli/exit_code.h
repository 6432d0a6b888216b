/// What the command's exit status means; the same for every sub-command.
#pragma once

#include <string>

#include "runtime/model/result.h"

namespace quintet {

enum class ExitCode : int {
  fine = 0,
  check_failed = 1,   ///< a regression, a race
  bad_input = 2,      ///< usage, or data that the user can mend
  device_failed = 3,  ///< the executor, the disk or the machine
};

/// Prints the error as one line on standard error, control characters escaped. Returns bad_input, or
/// device_failed where the machine failed.
ExitCode report_error(const Error& error);
/// Prints what the machine failed at as one line on standard error and returns device_failed.
ExitCode report_failure(const std::string& message);

}  // namespace quintet
