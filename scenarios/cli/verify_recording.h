/// A recording as `quintet verify` looks at it: its own plan, or the same run planned again.
#pragma once

#include <string>

#include "runtime/model/result.h"
#include "scenarios/cli/policy_options.h"
#include "scenarios/verify/verification.h"

namespace quintet {

/// True where the word of the command line means a recording: a recorded scenario, or a file that
/// ends like one.
bool means_recording(const std::string& word);

/// Proves what the recording's graphs, byte ranges and step programs say; with a policy or a knob
/// given, the same run planned anew. Errors: those of reading, recorded_plan(), Replanner and
/// planning.
Result<Verification> verify_recording(const std::string& word, const PolicyOptions& options);

}  // namespace quintet
