#include "scenarios/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <map>
#include <sstream>
#include <vector>

#include "runtime/policy/nearest_name.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/standard_output.h"

namespace quintet {

namespace {

using Actions = std::map<const CLI::App*, CommandAction>;

Actions add_commands(CLI::App& app) {
  Actions actions;
  for (const CommandEntry& entry : command_catalog()) {
    CLI::App* command = app.add_subcommand(std::string(entry.name), std::string(entry.description));
    command->footer(fmt::format("Examples:\n{}", entry.examples));
    actions[command] = entry.add(*command);
  }
  return actions;
}

void describe(CLI::App& app) {
  app.name("quintet");
  app.require_subcommand(0, 1);
  app.set_version_flag("--version", QUINTET_VERSION);
  app.footer(
      "Start with:\n"
      "  quintet run fashion-lenet           # train, record, report; fashion-lenet is built in\n"
      "  quintet run --help                  # every command has examples\n"
      "Exit status: 0 fine, 1 a check failed (race, regression), 2 bad input or usage, 3 device or "
      "disk "
      "failure");
}

/// The cure for a word that nothing takes: the nearest option or sub-command.
std::string nearest(const std::string& word, const CLI::App& app) {
  const bool option = word.starts_with("-");
  std::vector<std::string> known;
  if (option) {
    for (const CLI::Option* each : app.get_options())
      if (!each->get_lnames().empty()) known.push_back("--" + each->get_lnames().front());
  } else {
    for (const CLI::App* each : app.get_subcommands({}))
      known.push_back(each->get_name());
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  return names.empty() ? "leave it out" : suggestion(word, names);
}

ExitCode report_usage(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& where = chosen.empty() ? app : *chosen.front();
  const std::string command = chosen.empty() ? "quintet" : "quintet " + where.get_name();
  const std::vector<std::string> strange = app.remaining(true);
  const bool unknown = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (!unknown || strange.empty())
    return report_error({error.what(), "see " + command + " --help", {}, 0});
  const std::string& word = strange.front();
  const std::string owner = chosen.empty() ? "" : where.get_name() + " has ";
  const char* kind = word.starts_with("-") ? "option" : chosen.empty() ? "command" : "argument";
  return report_error({fmt::format("{}no {} {}", owner, kind, word),
                       nearest(word, where) + "; see " + command + " --help",
                       {},
                       0});
}

}  // namespace

ExitCode run_command_line(int argc, char** argv) {
  CLI::App app{"Five-stream training: run it, record it, prove it, compare it."};
  describe(app);
  const Actions actions = add_commands(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    std::ostringstream text;
    app.exit(wanted, text, text);
    return print_output(text.str());
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error);
  }
  const auto chosen = app.get_subcommands();
  if (!chosen.empty()) return actions.at(chosen.front())();
  std::fputs(app.help().c_str(), stderr);
  return ExitCode::bad_input;
}

}  // namespace quintet
