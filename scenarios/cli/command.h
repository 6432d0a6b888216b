/// The sub-commands of `quintet`: each adds itself to the parser and is run where the parser chose
/// it.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "scenarios/cli/exit_code.h"

namespace CLI {
class App;
}

namespace quintet {

/// What a chosen sub-command does, its options already parsed.
using CommandAction = std::function<ExitCode()>;

struct CommandEntry {
  std::string_view name;
  /// Adds options to `app` and returns what to do when it is chosen.
  CommandAction (*add)(CLI::App& app) = nullptr;
  std::string_view description;
  std::string_view examples;  ///< shown at the end of its --help
};

/// Every sub-command, in the order of --help.
std::span<const CommandEntry> command_catalog();

CommandAction add_devices(CLI::App& app);
CommandAction add_scenarios(CLI::App& app);
CommandAction add_run(CLI::App& app);
CommandAction add_report(CLI::App& app);
CommandAction add_import(CLI::App& app);
CommandAction add_export(CLI::App& app);
CommandAction add_compare(CLI::App& app);
CommandAction add_check(CLI::App& app);
CommandAction add_history(CLI::App& app);
CommandAction add_verify(CLI::App& app);
CommandAction add_trim(CLI::App& app);
CommandAction add_view(CLI::App& app);
CommandAction add_whatif(CLI::App& app);
CommandAction add_calibrate(CLI::App& app);
CommandAction add_worker(CLI::App& app);  // scenarios/worker
CommandAction add_tune(CLI::App& app);
CommandAction add_advise(CLI::App& app);

}  // namespace quintet
