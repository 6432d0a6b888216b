/// What a worker says of its machine and its catalogs.
#pragma once

#include "profiler/wire/requests.h"
#include "runtime/model/result.h"
#include "scenarios/cli/scenario_run.h"

namespace quintet {

DevicesAnswer devices_answer();
Result<ScenariosAnswer> scenarios_answer();
Result<PoliciesAnswer> policies_answer();
/// Plans and proves; runs nothing. Errors: those of prepare_scenario and open_backend.
Result<VerifyAnswer> verify_answer(const RunOptions& options);

}  // namespace quintet
