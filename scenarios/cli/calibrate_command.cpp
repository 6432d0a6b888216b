#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

#include "profiler/report/json_parts.h"
#include "profiler/whatif/calibration.h"
#include "scenarios/cli/calibration_run.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/option_checks.h"
#include "scenarios/cli/standard_output.h"

namespace quintet {

namespace {

struct CalibrateArguments {
  CalibrationOptions run;
  bool json = false;
};

std::string text_of(const Calibration& calibration) {
  const DeviceModel& device = calibration.fit.device;
  std::string text = fmt::format("{}: {}\n", device.device, device.provenance);
  text += fmt::format("{:<58} {:>12} {:>12} {:>8}\n", "run", "measured, ms", "predicted", "error");
  for (const FittedPlan& plan : calibration.fit.plans) {
    text += fmt::format("{:<58} {:>12.4f} {:>12.4f} {:>+7.2f}%\n", plan.name,
                        plan.measured_ns / 1e6, plan.predicted_ns / 1e6, 100 * plan.error());
  }
  text += fmt::format(
      "median error {:.2f} %, worst {:.2f} %, of host_sync {:.2f} %; fitted in {:.1f} s\n",
      100 * device.fit_error, 100 * device.worst_error, 100 * device.host_sync_error,
      calibration.fit_seconds);
  if (calibration.left_out > 0) {
    text += fmt::format("{} runs were left out: the time was up\n", calibration.left_out);
  }
  for (const std::string& recording : calibration.recordings)
    text += fmt::format("recording {}\n", recording);
  return text;
}

OrderedJson json_of(const Calibration& calibration) {
  OrderedJson runs = OrderedJson::array();
  for (const FittedPlan& plan : calibration.fit.plans) {
    runs.push_back({{"run", plan.name},
                    {"measured_ns", plan.measured_ns},
                    {"predicted_ns", plan.predicted_ns},
                    {"error", plan.error()}});
  }
  return {{"schema", "quintet.calibrate"},
          {"version", 2},
          {"recordings", calibration.recordings},
          {"runs", std::move(runs)},
          {"left_out", calibration.left_out},
          {"fit_seconds", calibration.fit_seconds},
          {"constants", OrderedJson::parse(calibration_text(calibration.fit.device))}};
}

ExitCode calibrate(const CalibrateArguments& options) {
  if (options.run.recordings.empty() == options.run.scenario.scenario.empty()) {
    return report_error({"calibrate takes a scenario to run, or recordings in its place",
                         "quintet calibrate SCENARIO, or quintet calibrate --recordings FILE..."});
  }
  const auto calibration = run_calibration(options.run);
  if (!calibration) return report_error(calibration.error());
  return print_output(options.json ? dump_json(json_of(*calibration), 2) + "\n"
                                   : text_of(*calibration));
}

}  // namespace

CommandAction add_calibrate(CLI::App& app) {
  auto options = std::make_shared<CalibrateArguments>();
  add_scenario_options(app, options->run.scenario);
  app.get_option("scenario")->required(false);
  app.add_option("--recordings", options->run.recordings,
                 "Fit to these recordings and run nothing: of each scenario one on one stream in "
                 "whole steps, the others of any policy");
  add_executor_options(app, options->run.executor, "What is calibrated: host or cuda");
  app.add_option("--seconds", options->run.seconds,
                 "No run begins after so many seconds (default: 60)")
      ->check(above_zero());
  app.add_option("--out", options->run.out,
                 "The recording that is made (default: <scenario>-calibrated.qtrace)");
  app.add_option("--into", options->run.into,
                 "Another recording of this machine that takes the constants, too; once for each")
      ->allow_extra_args(false);
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return calibrate(*options); };
}

}  // namespace quintet
