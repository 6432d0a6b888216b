/// From what a client asks for to what the command's own functions take.
#pragma once

#include <string>

#include "profiler/wire/requests.h"
#include "profiler/wire/tune_messages.h"
#include "runtime/model/result.h"
#include "scenarios/cli/scenario_run.h"
#include "scenarios/cli/tune_run.h"

namespace quintet {

/// `policy_toml`: the policy that was set for requests that name none; may be empty. Errors: words that the command
/// line would refuse.
Result<RunOptions> options_of(const PlanRequest& request, const std::string& policy_toml);
Result<RunOptions> options_of(const RunRequest& request, const std::string& policy_toml);
/// Errors: as above; a policy or a knob of one, which are what is searched.
Result<TuneRunOptions> options_of(const TuneRequest& request);

}  // namespace quintet
