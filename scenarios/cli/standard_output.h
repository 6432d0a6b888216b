/// Where the results of every sub-command go.
#pragma once

#include <string_view>

#include "scenarios/cli/exit_code.h"

namespace quintet {

/// Writes text for people, or JSON, to standard output; control characters in it are escaped, but for
/// line ends and tabs. Returns `status`; device_failed, with a line on standard error, where it could
/// not be written. A reader that went away wanted no more: no failure.
ExitCode print_output(std::string_view text, ExitCode status = ExitCode::fine);

/// The same of a document of another format, or a piece of one, which stays as it is unless it goes to
/// a terminal.
ExitCode print_document(std::string_view text, ExitCode status = ExitCode::fine);

}  // namespace quintet
