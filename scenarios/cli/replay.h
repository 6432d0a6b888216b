/// Shows a recorded scenario as it was recorded; nothing is run.
#pragma once

#include "scenarios/cli/exit_code.h"
#include "scenarios/cli/scenario_run.h"

namespace CLI {
class App;
}

namespace quintet {

/// The parsed sub-command `app` tells which options were given: those that would have changed the
/// run are refused, unless they say what was recorded anyway. Prints the report, or with `json` the
/// object of a run with what was recorded where.
ExitCode replay(const CLI::App& app, const RunOptions& options, bool json);

}  // namespace quintet
