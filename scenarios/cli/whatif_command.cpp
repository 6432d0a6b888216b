#include <CLI/CLI.hpp>
#include <memory>

#include "scenarios/cli/command.h"
#include "scenarios/cli/what_if.h"

namespace quintet {

CommandAction add_whatif(CLI::App& app) {
  auto options = std::make_shared<WhatIfOptions>();
  app.add_option("recording", options->recording,
                 "A recording of this program, or recorded/NAME (quintet scenarios)")
      ->required();
  add_policy_options(app, options->policy, "as recorded");
  app.add_option("--out", options->out, "Write the predicted steps as a recording, marked as such");
  app.add_flag("--allow-races", options->allow_races,
               "Predict a policy that the proof rejects; every output says so");
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return show_what_if(*options); };
}

}  // namespace quintet
