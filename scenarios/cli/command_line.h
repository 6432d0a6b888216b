/// Reads the command line: which sub-command, with which options.
#pragma once

#include "scenarios/cli/exit_code.h"

namespace quintet {

/// Parses, runs the sub-command that was chosen and returns its status. Mistakes are told in one
/// line on standard error, with the nearest name; no arguments at all print the help there.
ExitCode run_command_line(int argc, char** argv);

}  // namespace quintet
