#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <unistd.h>

#include "scenarios/cli/command.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/recorded_catalog.h"

namespace quintet {

namespace {

struct ViewArguments {
  std::vector<std::string> files;
  std::string screenshot;
  std::string host;
  std::string tab;
  bool light = false;
  std::string width;
  std::string height;
  std::string scale;
  OutputRule rule;
};

/// The viewer is a program of its own, so that this one needs no window system.
std::string viewer_program() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return (program.parent_path() / "quintet_view").string();
}

/// The viewer's own arguments: recorded scenarios by their files.
Result<std::vector<std::string>> viewer_arguments(const ViewArguments& options) {
  std::vector<std::string> arguments = {viewer_program()};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {name, value});
  };
  add("--screenshot", options.screenshot);
  add("--host", options.host);
  add("--tab", options.tab);
  if (options.light) arguments.emplace_back("--light");
  add("--width", options.width);
  add("--height", options.height);
  add("--scale", options.scale);
  arguments.emplace_back("--");
  for (const std::string& word : options.files) {
    Result<std::string> file = recording_path(word);
    if (!file) return tl::unexpected(file.error());
    arguments.push_back(std::move(*file));
  }
  return arguments;
}

ExitCode view(const ViewArguments& options) {
  Result<std::vector<std::string>> arguments = viewer_arguments(options);
  if (!arguments) return report_error(arguments.error());
  OutputRule rule = options.rule;
  rule.inputs.assign(arguments->end() - static_cast<std::ptrdiff_t>(options.files.size()),
                     arguments->end());
  rule.input_error = "is what shall be shown";
  if (auto free = check_output(options.screenshot, "--screenshot", rule); !free)
    return report_error(free.error());
  std::error_code error;
  if (!std::filesystem::exists(arguments->front(), error)) {
    return report_error({"the viewer was not built with this program",
                         "run ./dev deps, which installs ImGui and GLFW, then build again; quintet "
                         "report RECORDING --html PAGE needs no viewer",
                         arguments->front(), 0});
  }
  std::vector<char*> words;
  for (std::string& argument : *arguments)
    words.push_back(argument.data());
  words.push_back(nullptr);
  ::execv(words.front(), words.data());
  return report_error({std::string("the viewer cannot be started: ") + std::strerror(errno),
                       "make the file executable", arguments->front(), 0});
}

}  // namespace

CommandAction add_view(CLI::App& app) {
  auto options = std::make_shared<ViewArguments>();
  app.add_option("files", options->files,
                 "Recordings, recorded scenarios, or traces of other profilers: A, then B")
      ->expected(0, 2);
  app.add_option("--screenshot", options->screenshot,
                 "Write one picture as PNG; needs no display and opens no window");
  add_force_option(app, options->rule.force);
  app.add_option("--host", options->host, "Where runs train, as ssh calls it; without: here");
  app.add_option("--tab", options->tab, "The tab to show below: tasks, compare, ...");
  app.add_flag("--light", options->light, "The other theme than before; at first the light one");
  app.add_option("--width", options->width, "Of the window or picture, in pixels");
  app.add_option("--height", options->height, "Of the window or picture, in pixels");
  app.add_option("--scale", options->scale,
                 "Pixels a unit, where the monitor's own is not wanted: 0.5 to 4");
  return [options] { return view(*options); };
}

}  // namespace quintet
