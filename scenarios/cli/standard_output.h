/// Where the results of every sub-command go.
#pragma once

#include <string_view>

#include "scenarios/cli/exit_code.h"

namespace quintet {

/// Writes `text` to standard output. Returns `status`; device_failed, with a line on standard
/// error, where it could not be written. A reader that went away wanted no more: no failure.
ExitCode print_output(std::string_view text, ExitCode status = ExitCode::fine);

}  // namespace quintet
