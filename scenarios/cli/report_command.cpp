#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "profiler/report/comparison_text.h"
#include "profiler/report/csv_report.h"
#include "profiler/report/html_report.h"
#include "profiler/report/json_report.h"
#include "profiler/report/text_report.h"
#include "profiler/trace/trace_reader.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"

namespace quintet {

namespace {

struct Options {
  std::string recording;
  std::string against;
  std::string html;
  bool json = false;
  bool csv = false;
};

bool is_serial(const Trace& trace) {
  const auto policy = trace.provenance.find("policy");
  return policy != trace.provenance.end() && policy->second == "serial";
}

/// A report never takes the place of what it reports.
Result<void> check_html(const Options& options) {
  for (const std::string& recording : {options.recording, options.against}) {
    std::error_code none;
    if (!options.html.empty() && std::filesystem::equivalent(options.html, recording, none)) {
      return fail("is the recording itself", "name another file for --html", options.html);
    }
  }
  return {};
}

/// Writes every form that was asked for; text where none was.
ExitCode write_report(const Options& options, const Trace& trace,
                      const std::optional<Trace>& other) {
  const Trace* serial = other && is_serial(*other) ? &*other : nullptr;
  const Report report = build_report(trace, serial);
  if (!options.html.empty()) {
    const Result<void> written = write_file(options.html, html_report(report));
    if (!written) return report_error(written.error());
  }
  if (options.json) return print_output(json_report(report));
  if (options.csv) return print_output(csv_report(report));
  if (other) {
    return print_output(comparison_text(report, build_report(*other), terminal_options()));
  }
  if (options.html.empty()) return print_output(text_report(report, terminal_options()));
  return print_output(options.html + "\n");
}

ExitCode report(const Options& options) {
  if (const auto apart = check_html(options); !apart) return report_error(apart.error());
  const Result<Trace> trace = read_trace(options.recording);
  if (!trace) return report_error(trace.error());
  std::optional<Trace> other;
  if (!options.against.empty()) {
    Result<Trace> read = read_trace(options.against);
    if (!read) return report_error(read.error());
    other = std::move(*read);
  }
  return write_report(options, *trace, other);
}

}  // namespace

CommandAction add_report(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("recording", options->recording, "A .qtrace recording")->required();
  app.add_option(
      "--against", options->against,
      "A second recording: both side by side; one under serial also gives the true gain");
  auto* json = app.add_flag("--json", options->json, "One JSON object on standard output");
  app.add_flag("--csv", options->csv, "Metrics and tasks as CSV on standard output")
      ->excludes(json);
  app.add_option("--html", options->html, "Write a self-contained HTML report to this file");
  return [options] { return report(*options); };
}

}  // namespace quintet
