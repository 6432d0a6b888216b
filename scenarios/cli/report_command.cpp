#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>

#include "profiler/report/csv_report.h"
#include "profiler/report/html_report.h"
#include "profiler/report/json_report.h"
#include "profiler/report/text_report.h"
#include "profiler/trace/trace_reader.h"
#include "runtime/policy/nearest_name.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/standard_output.h"
#include "scenarios/cli/terminal.h"

namespace quintet {

namespace {

struct ReportArguments {
  std::string recording;
  std::string serial;
  std::string html;
  bool json = false;
  bool csv = false;
  std::string table;
  OutputRule rule;
  RangeOptions ranges;
};

/// Empty where the recording does not say it.
std::string said(const Trace& trace, const std::string& key) {
  const auto found = trace.provenance.find(key);
  return found == trace.provenance.end() ? std::string() : found->second;
}

/// A gain over anything else than the same work on one stream would mislead.
Result<void> check_serial(const Trace& trace, const Trace& serial, const std::string& file) {
  // "serial (step = whole_step)" is serial with a knob turned.
  const std::string policy = said(serial, "policy");
  if (policy != "serial" && !policy.starts_with("serial (")) {
    return fail("was recorded under the policy '" + policy + "', not serial",
                "record the scenario with --policy serial; quintet compare takes any two", file);
  }
  if (said(serial, "scenario") != said(trace, "scenario")) {
    return fail("is of the scenario '" + said(serial, "scenario") + "', the recording of '" +
                    said(trace, "scenario") + "'",
                "name a serial recording of the same scenario", file);
  }
  return {};
}

/// The table that --csv prints: the first one unless --table names another.
Result<const CsvTable*> table_of(const ReportArguments& options) {
  if (options.table.empty()) return &csv_tables().front();
  if (const CsvTable* named = csv_table_named(options.table)) return named;
  std::vector<std::string_view> names;
  for (const CsvTable& table : csv_tables())
    names.push_back(table.name);
  return fail("there is no table '" + options.table + "'", suggestion(options.table, names));
}

/// Writes every form that was asked for; text where none was.
ExitCode write_report(const ReportArguments& options, const CsvTable& table, const Trace& trace,
                      const std::optional<Trace>& serial) {
  const Report report = build_report(trace, serial ? &*serial : nullptr, options.ranges);
  if (!options.html.empty()) {
    const Result<void> written = write_file(options.html, html_report(report), options.rule);
    if (!written) return report_error(written.error());
  }
  if (options.json) return print_output(json_report(report));
  if (options.csv) return print_document(table.write(report));
  if (options.html.empty()) return print_output(text_report(report, terminal_options()));
  return print_output(options.html + "\n");
}

/// The options with the files that recorded scenarios lie in.
Result<ReportArguments> with_files(ReportArguments options) {
  for (std::string* recording : {&options.recording, &options.serial}) {
    Result<std::string> file = recording_path(*recording);
    if (!file) return tl::unexpected(file.error());
    *recording = std::move(*file);
    if (!recording->empty()) options.rule.inputs.push_back(*recording);
  }
  return options;
}

ExitCode report(const ReportArguments& given) {
  const Result<ReportArguments> named = with_files(given);
  if (!named) return report_error(named.error());
  const ReportArguments& options = *named;
  const Result<const CsvTable*> table = table_of(options);
  if (!table) return report_error(table.error());
  if (const auto free = check_output(options.html, "--html", options.rule); !free)
    return report_error(free.error());
  const Result<Trace> trace = read_trace(options.recording);
  if (!trace) return report_error(trace.error());
  std::optional<Trace> serial;
  if (!options.serial.empty()) {
    Result<Trace> read = read_trace(options.serial);
    if (!read) return report_error(read.error());
    if (const auto fits = check_serial(*trace, *read, options.serial); !fits)
      return report_error(fits.error());
    serial = std::move(*read);
  }
  return write_report(options, **table, *trace, serial);
}

}  // namespace

CommandAction add_report(CLI::App& app) {
  auto options = std::make_shared<ReportArguments>();
  app.add_option("recording", options->recording, "A recording, or the name of a recorded scenario")
      ->required();
  app.add_option("--serial", options->serial,
                 "A recording of the same scenario under serial: gives the true gain");
  app.add_option("--range-tolerance", options->ranges.tolerance_ns,
                 "By how many ns a call may reach out of a named range and still belong to it")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 31, "NS"))
      ->capture_default_str();
  auto* json = app.add_flag("--json", options->json, "One JSON object on standard output");
  auto* csv =
      app.add_flag("--csv", options->csv,
                   "One table as CSV on standard output; text that a spreadsheet would take "
                   "for a formula begins with an apostrophe there")
          ->excludes(json);
  app.add_option("--table", options->table,
                 "Of --csv: " + csv_table_names() + " (default: the first)")
      ->needs(csv);
  app.add_option("--html", options->html, "Write a self-contained HTML report to this file");
  add_force_option(app, options->rule.force);
  return [options] { return report(*options); };
}

}  // namespace quintet
