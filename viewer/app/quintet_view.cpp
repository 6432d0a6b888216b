// The program `quintet_view`: the viewer in a window, or one picture of it without.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <string>

#include "profiler/trace/utf8.h"
#include "viewer/app/app.h"
#include "viewer/app/program_folders.h"
#include "viewer/app/worker_run_source.h"
#include "viewer/model/view_state.h"
#include "viewer/platform/window.h"
#include "viewer/platform/windowless_screen.h"

namespace {

using namespace quintet;
using namespace quintet::viewer;

/// As quintet's commands: 2 = the user can mend it, 3 = the machine failed.
constexpr int kUserError = 2;
constexpr int kMachineError = 3;

struct Options {
  AppOptions app;
  std::string screenshot;
  std::string host;
  std::string tab;
  bool light = false;
  int width = 1600;
  int height = 950;
  float scale = 0;
};

int report_error(const Error& error) {
  std::fputs(("quintet: " + visible_text(to_string(error)) + "\n").c_str(), stderr);
  return error.kind == ErrorKind::machine ? kMachineError : kUserError;
}

void choose_look(const Options& options, App& app) {
  if (!options.tab.empty()) app.emit({command_id::kTab, options.tab});
  if (options.light) app.emit({command_id::kTheme, {}});
}

int write_screenshot(Options options) {
  const float scale = options.scale > 0 ? options.scale : 1;
  options.app.why_no_runs = "this is a picture";
  App app(options.app);
  choose_look(options, app);
  WindowlessScreen screen({options.width, options.height, scale});
  // Opening starts with the first frame, and what is opened starts jobs of its own with the next.
  for (int round = 0; round < 6; ++round) {
    screen.frame(app);
    app.settle();
  }
  screen.frame(app, 2);
  const viewer::LogLine* alert = app.workbench().log.alert();
  if (alert != nullptr && alert->level == viewer::LogLevel::error) {
    return report_error({alert->text, alert->cure, {}, 0});
  }
  const Result<void> written = write_png(screen.picture(), options.screenshot);
  return written ? 0 : report_error(written.error());
}

/// Runs are trained by the command beside this program.
void choose_runs(Options& options) {
  WorkerLaunch launch;
  launch.host = options.host;
  launch.program = options.host.empty() ? quintet_program() : std::string();
  if (options.host.empty() && launch.program.empty()) {
    options.app.why_no_runs =
        "the command quintet does not lie beside " + program_folder() + "/quintet_view";
    return;
  }
  options.app.run_source =
      std::make_shared<WorkerRunSource>(std::move(launch), [] { Window::wake(); });
}

int show_window(Options options) {
  auto window = Window::open({options.width, options.height, options.scale});
  if (!window) return report_error(window.error());
  options.app.state_folder = default_state_folder();
  options.app.wake = [] { Window::wake(); };
  choose_runs(options);
  // Nothing that wakes the window outlives it.
  App app(std::move(options.app));
  choose_look(options, app);
  (*window)->run(app);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App parser("Quintet's viewer: recordings as a timeline, and policies to edit",
                  "quintet view");
  Options options;
  parser
      .add_option("files", options.app.files, "Recordings, or traces of other profilers: A, then B")
      ->expected(0, static_cast<int>(kSideCount));
  parser.add_option("--screenshot", options.screenshot,
                    "Write one picture as PNG; opens no window");
  parser.add_option("--host", options.host, "Where runs train, as ssh calls it; without: here");
  parser.add_option("--tab", options.tab, "The tab to show below: tasks, compare, ...");
  parser.add_flag("--light", options.light, "The other theme than before; at first the light one");
  parser.add_option("--width", options.width, "Of the window")->check(CLI::Range(320, 16384));
  parser.add_option("--height", options.height, "Of the window")->check(CLI::Range(240, 16384));
  parser
      .add_option("--scale", options.scale, "Pixels a unit, where the monitor's own is not wanted")
      ->check(CLI::Range(0.5, 4.0));
  try {
    parser.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = parser.exit(error);
    return code == 0 ? 0 : kUserError;
  }
  options.app.recorded_folder = recorded_folder();
  return options.screenshot.empty() ? show_window(std::move(options))
                                    : write_screenshot(std::move(options));
}
