// The `quintet` command: parses, picks the sub-command, turns what it throws into an exit status.
#include <CLI/CLI.hpp>
#include <exception>
#include <fmt/format.h>
#include <map>

#include "scenarios/cli/command.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{"Five-stream training: run it, record it, prove it, compare it."};
  app.name("quintet");
  app.require_subcommand(1);
  app.set_version_flag("--version", QUINTET_VERSION);
  app.footer(
      "Start with:\n  quintet run fashion-lenet\n"
      "Exit status: 0 fine, 1 a check failed (race), 2 bad input or usage, 3 device failure");
  std::map<CLI::App*, quintet::CommandAction> actions;
  for (const quintet::CommandEntry& entry : quintet::command_catalog()) {
    CLI::App* command = app.add_subcommand(std::string(entry.name), std::string(entry.description));
    command->footer(fmt::format("Examples:\n{}", entry.examples));
    actions[command] = entry.add(*command);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : static_cast<int>(quintet::ExitCode::bad_input);
  }
  return static_cast<int>(actions.at(app.get_subcommands().front())());
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "quintet: out of memory; use a smaller batch or network\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "quintet: {}\n", error.what());
  }
  return static_cast<int>(quintet::ExitCode::device_failed);
}
