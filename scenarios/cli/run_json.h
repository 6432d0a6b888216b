/// What a run has to say to programs.
#pragma once

#include "profiler/report/json_parts.h"
#include "scenarios/cli/scenario_run.h"

namespace quintet {

/// The object of schema "quintet.run", version 1.
OrderedJson run_json(const RunOutcome& outcome);

}  // namespace quintet
