/// What a recorded run would do under another policy, as the command shows it.
#pragma once

#include <string>

#include "scenarios/cli/exit_code.h"
#include "scenarios/cli/policy_options.h"

namespace quintet {

struct WhatIfOptions {
  std::string recording;  ///< path, or recorded/NAME
  PolicyOptions policy;   ///< nothing given = as recorded
  std::string out;        ///< where the predicted recording goes; empty = nowhere
  bool allow_races = false;
  bool json = false;
};

/// Predicts and prints: step time with the error to expect, memory, verdict, what moved, metrics
/// and the timeline beside the recorded ones. A policy that races is refused (exit status 1) unless
/// races are allowed; then every output says so.
ExitCode show_what_if(const WhatIfOptions& options);

}  // namespace quintet
