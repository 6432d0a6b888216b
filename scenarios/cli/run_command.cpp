#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

#include "profiler/report/json_parts.h"
#include "profiler/report/text_report.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/scenario_run.h"
#include "scenarios/cli/terminal.h"

namespace quintet {

namespace {

struct Options {
  RunOptions run;
  bool json = false;
};

OrderedJson json_of(const RunOutcome& outcome) {
  const TrainingResult& result = outcome.result;
  OrderedJson losses = OrderedJson::array();
  for (const double loss : result.losses)
    losses.push_back(number_or_null(loss));
  const auto optional = [](const std::optional<double>& value) {
    return value ? number_or_null(*value) : OrderedJson(nullptr);
  };
  return {{"schema", "quintet.run"},
          {"version", 1},
          {"scenario", outcome.scenario},
          {"policy", outcome.policy},
          {"executor", outcome.executor},
          {"lowering", outcome.lowering},
          {"verdict", outcome.races.empty() ? "race-free" : "races"},
          {"races", outcome.races},
          {"steps", result.steps},
          {"losses", std::move(losses)},
          {"weights_hash", result.weights_hash},
          {"test_loss", optional(result.test_loss)},
          {"test_accuracy", optional(result.test_accuracy)},
          {"step_time_ns", step_time_json(outcome.metrics)},
          {"recording", outcome.ran ? OrderedJson(outcome.recording) : OrderedJson(nullptr)},
          {"interrupted", outcome.interrupted},
          {"findings", findings_json(outcome.trace.findings)},
          {"metrics", metrics_json(outcome.metrics)}};
}

void print_text(const RunOutcome& outcome) {
  const TrainingResult& result = outcome.result;
  fmt::print("{} under {}: {} steps", outcome.scenario, outcome.policy, result.steps);
  if (!result.losses.empty()) {
    fmt::print(", loss {:.4f} to {:.4f}", result.losses.front(), result.losses.back());
  }
  if (result.test_accuracy) fmt::print(", test accuracy {:.2f} %", 100 * *result.test_accuracy);
  fmt::print("{}\n", outcome.interrupted ? ", stopped early" : "");
  if (const MetricValue* time = find_metric(outcome.metrics, "step/time");
      time != nullptr && time->known()) {
    fmt::print("step {:.3f} ms", time->value / 1e6);
    if (time->spread) {
      fmt::print(" ({:.3f} to {:.3f}, 5 to 95 %)", time->spread->p05 / 1e6,
                 time->spread->p95 / 1e6);
    }
    fmt::print("\n");
  }
  fmt::print("\n{}\n", text_timeline(build_report(outcome.trace), terminal_options()));
  for (const Finding& finding : outcome.trace.findings) {
    fmt::print("{}: {} ({})\n", name_of(finding.severity), finding.message, finding.name);
  }
  fmt::print("recording {}\n", outcome.recording);
}

ExitCode run(const Options& options) {
  const Result<RunOutcome> outcome = run_scenario(options.run);
  if (!outcome) return report_error(outcome.error());
  if (!outcome->ran) {
    for (const std::string& race : outcome->races)
      fmt::print(stderr, "quintet: race: {}\n", race);
    fmt::print(stderr,
               "quintet: {} races under {}: not run; mend the policy, or see what happens with "
               "--allow-races\n",
               outcome->races.size(), outcome->policy);
  }
  if (options.json) {
    fmt::print("{}\n", dump_json(json_of(*outcome), 2));
  } else if (outcome->ran) {
    print_text(*outcome);
  }
  return outcome->ran ? ExitCode::fine : ExitCode::check_failed;
}

}  // namespace

CommandAction add_run(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("scenario", options->run.scenario, "Built-in scenario or scenario file")
      ->required();
  add_policy_options(app, options->run.policy);
  app.add_option("--executor", options->run.executor, "What runs the tasks: host")
      ->capture_default_str();
  app.add_option("--steps", options->run.steps, "Train at most so many steps")
      ->check(CLI::PositiveNumber);
  app.add_option("--out", options->run.out,
                 "The recording (default: <scenario>-<policy>.qtrace in this folder)");
  app.add_flag("--allow-races", options->run.allow_races,
               "Run a policy that the proof rejects; every output says so");
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return run(*options); };
}

}  // namespace quintet
