#include <CLI/CLI.hpp>
#include <memory>

#include "profiler/compare/comparison_html.h"
#include "profiler/compare/comparison_json.h"
#include "profiler/compare/comparison_text.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/compared_recordings.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"

namespace quintet {

namespace {

struct CompareArguments {
  std::string a;
  std::string b;
  std::string html;
  bool json = false;
  OutputRule rule;
  ResampleOptions resampling;
};

ExitCode write_comparison(const CompareArguments& options, const ComparedRecordings& recordings) {
  const Comparison comparison = compare_recordings(recordings.a, recordings.b, options.resampling);
  if (!options.html.empty()) {
    const Result<void> written = write_file(
        options.html, comparison_html(comparison, recordings.report_a, recordings.report_b),
        options.rule);
    if (!written) return report_error(written.error());
  }
  if (options.json) return print_output(json_document(comparison_json(comparison)));
  if (!options.html.empty()) return print_output(options.html + "\n");
  return print_output(
      comparison_text(comparison, recordings.report_a, recordings.report_b, terminal_options()));
}

ExitCode compare(CompareArguments options) {
  const auto a = recordings_of({options.a});
  if (!a) return report_error(a.error());
  const auto b = recordings_of({options.b});
  if (!b) return report_error(b.error());
  options.rule.inputs = *a;
  options.rule.inputs.insert(options.rule.inputs.end(), b->begin(), b->end());
  options.rule.input_error = "is one of the recordings";
  if (const auto free = check_output(options.html, "--html", options.rule); !free)
    return report_error(free.error());
  const auto recordings = read_compared(*a, *b, ComparedParts::everything);
  if (!recordings) return report_error(recordings.error());
  return write_comparison(options, *recordings);
}

}  // namespace

CommandAction add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareArguments>();
  app.add_option("a", options->a, "A .qtrace recording, or a folder of recordings of one thing")
      ->required();
  app.add_option("b", options->b, "The other side, likewise")->required();
  app.add_flag("--json", options->json, "One JSON object on standard output");
  app.add_option("--html", options->html, "Write a self-contained HTML page to this file");
  add_force_option(app, options->rule.force);
  add_resample_options(app, options->resampling);
  return [options] { return compare(*options); };
}

}  // namespace quintet
