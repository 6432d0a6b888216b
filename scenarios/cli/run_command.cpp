#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "profiler/report/text_report.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/gpu.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/replay.h"
#include "scenarios/cli/run_json.h"
#include "scenarios/cli/scenario_run.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"

namespace quintet {

namespace {

struct RunArguments {
  RunOptions run;
  bool json = false;
};

std::string text_of(const RunOutcome& outcome) {
  const TrainingResult& result = outcome.result;
  std::string text = fmt::format("{} under {}: {} training steps", outcome.scenario, outcome.policy,
                                 result.losses.size());
  if (!result.losses.empty()) {
    text += fmt::format(", loss {:.4f} to {:.4f}", result.losses.front(), result.losses.back());
  }
  if (result.test_accuracy) {
    text += fmt::format(", test accuracy {:.2f} %", 100 * *result.test_accuracy);
  }
  text += outcome.interrupted ? ", stopped early\n" : "\n";
  if (const MetricValue* time = find_metric(outcome.metrics, "step/time");
      time != nullptr && time->known()) {
    text += fmt::format("step {:.3f} ms", time->value / 1e6);
    if (time->spread) {
      text += fmt::format(" ({:.3f} to {:.3f}, 5 to 95 %)", time->spread->p05 / 1e6,
                          time->spread->p95 / 1e6);
    }
    text += "\n";
  }
  text += fmt::format("\n{}\n", text_timeline(build_report(outcome.trace), terminal_options()));
  for (const Finding& finding : outcome.trace.findings) {
    text += fmt::format("{}: {} ({})\n", name_of(finding.severity), finding.message, finding.name);
  }
  return text + fmt::format("recording {}\n", outcome.recording);
}

void report_races(const RunOutcome& outcome) {
  for (const std::string& race : outcome.races)
    report_failure("race: " + race);
  report_failure(fmt::format(
      "{} races under {}: not run; mend the policy, or see what happens with --allow-races",
      outcome.races.size(), outcome.policy));
}

ExitCode status_of(const RunOutcome& outcome) {
  if (!outcome.ran) return ExitCode::check_failed;
  return outcome.recording_error ? ExitCode::device_failed : ExitCode::fine;
}

ExitCode run(const CLI::App& app, const RunArguments& options) {
  if (means_recorded(options.run.scenario.scenario)) {
    return replay(app, options.run, options.json);
  }
  const Result<RunOutcome> outcome = run_scenario(options.run);
  if (!outcome) return report_error(outcome.error());
  ExitCode status = status_of(*outcome);
  if (!outcome->ran) report_races(*outcome);
  if (outcome->recording_error) {
    report_failure(to_string(*outcome->recording_error) +
                   "; the recording stopped early, the results are those of the whole run");
  }
  // After the run nothing of it is left: this counts also what went after the recording's end.
  if (const auto failed = finding_of(device_failures())) {
    const ExitCode failure =
        report_failure(failed->message + "; the results are those of the whole run");
    if (status == ExitCode::fine) status = failure;
  }
  std::string text;
  if (options.json) {
    text = dump_json(run_json(*outcome), 2) + "\n";
  } else if (outcome->ran) {
    text = text_of(*outcome);
  }
  return print_output(text, status);
}

/// The words of the modes, in their order.
std::vector<std::string> recording_modes() {
  std::vector<std::string> modes;
  for (std::size_t i = 0; i < kDeviceRecordingCount; ++i)
    modes.emplace_back(name_of(static_cast<DeviceRecording>(i)));
  return modes;
}

void add_record_option(CLI::App& app, DeviceRecording& mode) {
  const auto choose = [&mode](const std::string& word) {
    const std::vector<std::string> modes = recording_modes();
    mode =
        static_cast<DeviceRecording>(std::find(modes.begin(), modes.end(), word) - modes.begin());
  };
  app.add_option_function<std::string>(
         "--record", choose,
         "What of the GPU is recorded: off, graph (one span a launch), node (every kernel, copy "
         "and "
         "fill), sampled (as node, in short windows of steps; the default)")
      ->check(CLI::IsMember(recording_modes()));
}

}  // namespace

CommandAction add_run(CLI::App& app) {
  auto options = std::make_shared<RunArguments>();
  add_scenario_options(app, options->run.scenario);
  add_policy_options(app, options->run.policy);
  add_executor_options(app, options->run.executor, "What runs the tasks: host or cuda");
  add_record_option(app, options->run.record);
  app.add_option("--delay", options->run.executor.delays,
                 "LAYER=MICROSECONDS: each task of the layer takes so much longer; to see that a "
                 "check finds it (may be repeated)");
  app.add_option(
      "--out", options->run.out,
      "The recording (default: <scenario>-<policy>.qtrace in this folder; of a recorded scenario "
      "none)");
  app.add_option("--title", options->run.title, "What reports of the recording begin with");
  app.add_option("--memo", options->run.memo, "A note that is kept in the recording");
  app.add_flag("--allow-races", options->run.allow_races,
               "Run a policy that the proof rejects; every output says so");
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options, &app] { return run(app, *options); };
}

}  // namespace quintet
