/// From what a client asks for to what the command's own functions take.
#pragma once

#include <string>

#include "profiler/wire/requests.h"
#include "runtime/model/result.h"
#include "scenarios/cli/scenario_run.h"

namespace quintet {

/// `policy_toml`: the policy that was set for requests that name none; may be empty. Errors: words that the command
/// line would refuse.
Result<RunOptions> options_of(const PlanRequest& request, const std::string& policy_toml);
Result<RunOptions> options_of(const RunRequest& request, const std::string& policy_toml);

}  // namespace quintet
