#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

#include "profiler/report/csv_report.h"
#include "profiler/report/step_range.h"
#include "profiler/trace/trace_copy.h"
#include "profiler/trace/trace_reader.h"
#include "runtime/policy/nearest_name.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/export_format.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/recorded_catalog.h"
#include "scenarios/cli/standard_output.h"

namespace quintet {

namespace {

namespace fs = std::filesystem;

struct ExportArguments {
  std::string recording;
  std::string format;
  std::string out;
  std::string steps;
  ExportOptions writer;
  OutputRule rule;
};

/// What is to be done, checked.
struct Request {
  const ExportFormat* format = nullptr;
  std::string out;
  std::optional<StepRange> steps;

  std::vector<std::string_view> tables;  ///< where `out` is a folder

  [[nodiscard]] bool to_standard_output() const { return out == "-"; }
};

/// What an export that was asked for by --format alone adds to the recording's name.
std::string ending_of(const ExportArguments& options, const ExportFormat& format) {
  const std::string& table = options.writer.table;
  return (table.empty() ? "" : "." + table) + std::string(format.extension);
}

/// Beside the recording.
std::string default_out(const ExportArguments& options, const ExportFormat& format) {
  return fs::path(options.recording).replace_extension().string() + ending_of(options, format);
}

/// A folder takes a file for each table.
bool means_folder(const std::string& out) {
  std::error_code none;
  return out.ends_with('/') || fs::is_directory(out, none);
}

Result<const ExportFormat*> chosen_format(const ExportArguments& options) {
  if (!options.format.empty()) {
    if (const ExportFormat* named = format_named(options.format)) return named;
    std::vector<std::string_view> names;
    for (const ExportFormat& format : export_formats())
      names.push_back(format.name);
    return fail("there is no format '" + options.format + "'", suggestion(options.format, names));
  }
  if (const ExportFormat* told = format_of_path(options.out)) return told;
  const std::string what = options.out.empty()
                               ? "neither --format nor --out says what to write"
                               : "the name " + options.out + " does not tell a format";
  return fail(what, "add --format and one of " + export_format_names());
}

std::string file_of(const Request& request, std::string_view table) {
  return (fs::path(request.out) / fmt::format("{}.csv", table)).string();
}

Result<void> check_out(const ExportArguments& options, const Request& request) {
  if (request.to_standard_output()) return {};
  for (const std::string_view table : request.tables) {
    if (auto free = check_output(file_of(request, table), "--out", options.rule); !free)
      return free;
  }
  if (!request.tables.empty()) return {};
  std::error_code none;
  const bool itself = fs::equivalent(request.out, options.recording, none);
  if (!itself && (request.out.ends_with(".qtrace") || request.out.ends_with(".qtrace.gz")))
    return fail("has the name of a recording", "name another file for --out", request.out);
  return check_output(request.out, "--out", options.rule);
}

/// The tables that go into a folder: the chosen one, or all.
Result<std::vector<std::string_view>> tables_of(const ExportArguments& options,
                                                const Request& request) {
  std::vector<std::string_view> names;
  for (const CsvTable& table : csv_tables())
    names.push_back(table.name);
  const std::string& chosen = options.writer.table;
  if (!chosen.empty() && !request.format->has_tables)
    return fail(fmt::format("the format {} has no tables", request.format->name),
                "leave --table out, or choose csv");
  if (!chosen.empty() && csv_table_named(chosen) == nullptr)
    return fail("there is no table '" + chosen + "'", suggestion(chosen, names));
  if (!request.format->has_tables || !means_folder(request.out))
    return std::vector<std::string_view>();
  if (!chosen.empty()) names = {csv_table_named(chosen)->name};
  return names;
}

Result<Request> request_of(const ExportArguments& options) {
  const Result<const ExportFormat*> format = chosen_format(options);
  if (!format) return tl::unexpected(format.error());
  Request request;
  request.format = *format;
  request.out = options.out.empty() ? default_out(options, **format) : options.out;
  const auto tables = tables_of(options, request);
  if (!tables) return tl::unexpected(tables.error());
  request.tables = *tables;
  if (request.to_standard_output() && !request.format->text) {
    return fail(fmt::format("the format {} is binary", request.format->name),
                "name a file for --out");
  }
  if (!options.writer.graph.empty() && !request.format->draws_graphs)
    return fail(fmt::format("the format {} draws no task graph", request.format->name),
                "leave --graph out, or choose dot or svg");
  if (!options.steps.empty()) {
    if (request.format->write == nullptr)
      return fail("sql copies all steps", "leave --steps out, and use WHERE step = ...");
    const Result<StepRange> steps = parse_step_range(options.steps);
    if (!steps) return tl::unexpected(steps.error());
    request.steps = *steps;
  }
  if (auto apart = check_out(options, request); !apart) return tl::unexpected(apart.error());
  return request;
}

/// Errors of writers are about the recording; those of files name theirs.
ExitCode report_export_error(Error error, const std::string& recording) {
  if (error.file.empty()) error.file = recording;
  return report_error(error);
}

/// A file for each table, in a folder that is made where only it is missing.
ExitCode export_tables(const ExportArguments& options, const Request& request, const Trace& trace) {
  std::error_code error;
  fs::create_directory(request.out, error);
  if (error) {
    return report_error({"cannot be made: " + error.message(),
                         "name a folder in one that exists and can be written", request.out});
  }
  const Report report = build_report(trace);
  std::string names;
  for (const std::string_view table : request.tables) {
    const std::string file = file_of(request, table);
    const auto written = write_file(file, csv_table_named(table)->write(report), options.rule);
    if (!written) return report_error(written.error());
    names += file + "\n";
  }
  return print_output(names);
}

/// The plain rows take the place of an older export only: what lay beside that goes with it.
Result<void> export_rows(const ExportArguments& options, const std::string& out) {
  std::error_code none;
  const bool replaces = fs::exists(out, none);
  auto made = make_file(
      out, [&](const std::string& draft) { return export_sql(options.recording, draft); },
      options.rule);
  if (!made || !replaces) return made;
  // SQLite would replay them into the new file.
  for (const char* suffix : {"-wal", "-shm", "-journal"})
    fs::remove(out + suffix, none);
  return {};
}

ExitCode export_trace_to(const ExportArguments& options, const Request& request) {
  Result<Trace> trace = read_trace(options.recording);
  if (!trace) return report_error(trace.error());
  if (request.steps) {
    if (auto kept = keep_steps(*trace, *request.steps); !kept)
      return report_export_error(kept.error(), options.recording);
  }
  if (!request.tables.empty()) return export_tables(options, request, *trace);
  const auto write = [&](const ByteSink& sink) {
    return request.format->write(*trace, options.writer, sink);
  };
  if (request.to_standard_output()) {
    ExitCode status = ExitCode::fine;
    const Result<void> written = write([&status](std::string_view piece) -> Result<void> {
      status = print_document(piece);
      if (status != ExitCode::fine) return fail("standard output is gone");
      return {};
    });
    if (status != ExitCode::fine || written) return status;
    return report_export_error(written.error(), options.recording);
  }
  InterruptWatch interrupts;
  const Result<void> written = write_file(
      request.out,
      [&](const ByteSink& sink) {
        return write([&](std::string_view piece) -> Result<void> {
          if (interrupts.interrupted())
            return fail("was interrupted", "start it again", request.out);
          return sink(piece);
        });
      },
      options.rule);
  if (!written) return report_export_error(written.error(), options.recording);
  return print_output(request.out + "\n");
}

/// A recorded scenario stands for its file; beside that nothing is written, it belongs to the program.
Result<ExportArguments> with_file(ExportArguments options) {
  options.rule.inputs = {options.recording};
  if (!means_recorded(options.recording)) return options;
  const Result<std::string> file = recording_path(options.recording);
  if (!file) return tl::unexpected(file.error());
  const std::string name = fs::path(options.recording).filename().string();
  options.recording = *file;
  options.rule.inputs = {*file};
  if (!options.out.empty()) return options;
  const Result<const ExportFormat*> format = chosen_format(options);
  if (!format) return tl::unexpected(format.error());
  options.out = name + ending_of(options, **format);
  return options;
}

ExitCode export_recording(const ExportArguments& given) {
  const Result<ExportArguments> known = with_file(given);
  if (!known) return report_error(known.error());
  const ExportArguments& options = *known;
  const Result<Request> request = request_of(options);
  if (!request) return report_error(request.error());
  if (request->format->write != nullptr) return export_trace_to(options, *request);
  if (auto copied = export_rows(options, request->out); !copied)
    return report_error(copied.error());
  return print_output(request->out + "\n");
}

}  // namespace

CommandAction add_export(CLI::App& app) {
  auto options = std::make_shared<ExportArguments>();
  app.add_option("recording", options->recording, "A .qtrace recording, or a recorded scenario")
      ->required();
  app.add_option("--format", options->format,
                 "One of " + export_format_names() + "; else told by the name of --out");
  app.add_option(
      "--out", options->out,
      "File to write, - for standard output (text only); default: beside the recording, of "
      "a recorded scenario in this folder. Of csv also a folder, which takes a file for each "
      "table");
  app.add_option("--table", options->writer.table,
                 "Of csv: " + csv_table_names() +
                     " (default: the first; into a folder all). Text that a spreadsheet would take "
                     "for a formula begins with an apostrophe");
  app.add_option("--graph", options->writer.graph, "Of dot and svg: only the graph of this name");
  app.add_option("--steps", options->steps, "Only these steps: 3..7, or 3");
  add_force_option(app, options->rule.force);
  return [options] { return export_recording(*options); };
}

}  // namespace quintet
