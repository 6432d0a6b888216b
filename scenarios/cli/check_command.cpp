#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "profiler/compare/check_junit.h"
#include "profiler/compare/check_summary.h"
#include "profiler/compare/comparison_json.h"
#include "profiler/compare/regression_check.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/compared_recordings.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"

namespace quintet {

namespace {

struct CheckArguments {
  std::vector<std::string> recordings;
  std::vector<std::string> baseline;
  std::string max_regression = "1%";
  std::vector<std::string> accepted;
  std::string markdown;
  std::string junit;
  bool json = false;
  OutputRule rule;
  ResampleOptions resampling;
};

ExitCode exit_code_of(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::passed:
    case CheckVerdict::undecided:
      return ExitCode::fine;
    case CheckVerdict::regression:
      return ExitCode::check_failed;
  }
  return ExitCode::fine;
}

ExitCode write_verdict(const CheckArguments& options, const RegressionCheck& check) {
  if (!options.markdown.empty()) {
    const auto written = write_file(options.markdown, check_markdown(check), options.rule);
    if (!written) return report_error(written.error());
  }
  if (!options.junit.empty()) {
    const auto written = write_file(options.junit, check_junit(check), options.rule);
    if (!written) return report_error(written.error());
  }
  const ExitCode status = exit_code_of(check.verdict);
  if (options.json) return print_output(json_document(check_json(check)), status);
  return print_output(check_text(check, terminal_options().unicode), status);
}

Result<void> check_outputs(const CheckArguments& options) {
  if (auto free = check_output(options.markdown, "--markdown", options.rule); !free) return free;
  if (auto free = check_output(options.junit, "--junit", options.rule); !free) return free;
  std::error_code none;
  const bool same = options.markdown == options.junit ||
                    std::filesystem::equivalent(options.markdown, options.junit, none);
  if (options.markdown.empty() || !same) return {};
  return fail("cannot be both the summary and the JUnit file", "name another file for --junit",
              options.junit);
}

ExitCode check(CheckArguments options) {
  const Result<double> limit = parse_share(options.max_regression);
  if (!limit) {
    return report_error({"--max-regression: " + limit.error().message, limit.error().cure, {}, 0});
  }
  const auto baseline = recordings_of(options.baseline);
  if (!baseline) return report_error(baseline.error());
  const auto recordings = recordings_of(options.recordings);
  if (!recordings) return report_error(recordings.error());
  options.rule.inputs = *baseline;
  options.rule.inputs.insert(options.rule.inputs.end(), recordings->begin(), recordings->end());
  options.rule.input_error = "is one of the recordings";
  if (const auto free = check_outputs(options); !free) return report_error(free.error());
  const auto read = read_compared(*baseline, *recordings, ComparedParts::step_and_tasks);
  if (!read) return report_error(read.error());
  const auto verdict = check_regression(compare_recordings(read->a, read->b, options.resampling),
                                        {*limit, options.accepted});
  if (!verdict) return report_error(verdict.error());
  return write_verdict(options, *verdict);
}

}  // namespace

CommandAction add_check(CLI::App& app) {
  auto options = std::make_shared<CheckArguments>();
  app.add_option("recordings", options->recordings,
                 "Recordings to judge, or folders of them: one is a process, five are better")
      ->required();
  app.add_option("--baseline", options->baseline, "Recordings to hold them against, or folders")
      ->required();
  app.add_option("--max-regression", options->max_regression,
                 "How much longer a step may take: 1% or 0.01")
      ->capture_default_str();
  app.add_option("--accept", options->accepted,
                 "Names of caveats that shall not refuse the check, such as other_cpu")
      ->delimiter(',');
  app.add_option("--markdown", options->markdown, "Write a summary for a pull request");
  app.add_option("--junit", options->junit, "Write JUnit XML for a build server");
  app.add_flag("--json", options->json, "One JSON object on standard output");
  add_force_option(app, options->rule.force);
  add_resample_options(app, options->resampling);
  return [options] { return check(*options); };
}

}  // namespace quintet
