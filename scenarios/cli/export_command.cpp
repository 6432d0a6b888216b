#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <optional>

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
};

/// What is to be done, checked.
struct Request {
  const ExportFormat* format = nullptr;
  std::string out;
  std::optional<StepRange> steps;

  [[nodiscard]] bool to_standard_output() const { return out == "-"; }
};

/// What every export that was asked for by --format alone is called: beside the recording.
std::string default_out(const std::string& recording, const ExportFormat& format) {
  return fs::path(recording).replace_extension().string() + std::string(format.extension);
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

/// An export never takes the place of a recording.
Result<void> check_out(const ExportArguments& options, const Request& request) {
  std::error_code none;
  if (fs::equivalent(request.out, options.recording, none))
    return fail("is the recording itself", "name another file for --out", request.out);
  if (fs::path(request.out).extension() == ".qtrace")
    return fail("has the name of a recording", "name another file for --out", request.out);
  return {};
}

Result<Request> request_of(const ExportArguments& options) {
  const Result<const ExportFormat*> format = chosen_format(options);
  if (!format) return tl::unexpected(format.error());
  Request request;
  request.format = *format;
  request.out = options.out.empty() ? default_out(options.recording, **format) : options.out;
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

ExitCode export_trace_to(const ExportArguments& options, const Request& request) {
  Result<Trace> trace = read_trace(options.recording);
  if (!trace) return report_error(trace.error());
  if (request.steps) {
    if (auto kept = keep_steps(*trace, *request.steps); !kept)
      return report_export_error(kept.error(), options.recording);
  }
  const auto write = [&](const ByteSink& sink) {
    return request.format->write(*trace, options.writer, sink);
  };
  if (request.to_standard_output()) {
    ExitCode status = ExitCode::fine;
    const Result<void> written = write([&status](std::string_view piece) -> Result<void> {
      status = print_output(piece);
      if (status != ExitCode::fine) return fail("standard output is gone");
      return {};
    });
    if (status != ExitCode::fine || written) return status;
    return report_export_error(written.error(), options.recording);
  }
  InterruptWatch interrupts;
  const Result<void> written = write_file(request.out, [&](const ByteSink& sink) {
    return write([&](std::string_view piece) -> Result<void> {
      if (interrupts.interrupted()) return fail("was interrupted", "start it again", request.out);
      return sink(piece);
    });
  });
  if (!written) return report_export_error(written.error(), options.recording);
  return print_output(request.out + "\n");
}

/// A recorded scenario stands for its file; beside that nothing is written, it belongs to the program.
Result<ExportArguments> with_file(ExportArguments options) {
  if (!means_recorded(options.recording)) return options;
  const Result<std::string> file = recording_path(options.recording);
  if (!file) return tl::unexpected(file.error());
  const std::string name = fs::path(options.recording).filename().string();
  options.recording = *file;
  if (!options.out.empty()) return options;
  const Result<const ExportFormat*> format = chosen_format(options);
  if (!format) return tl::unexpected(format.error());
  options.out = name + std::string((*format)->extension);
  return options;
}

ExitCode export_recording(const ExportArguments& given) {
  const Result<ExportArguments> known = with_file(given);
  if (!known) return report_error(known.error());
  const ExportArguments& options = *known;
  const Result<Request> request = request_of(options);
  if (!request) return report_error(request.error());
  if (request->format->write != nullptr) return export_trace_to(options, *request);
  if (auto copied = export_sql(options.recording, request->out); !copied)
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
      "a recorded scenario in this folder");
  app.add_option("--graph", options->writer.graph, "Of dot and svg: only the graph of this name");
  app.add_option("--steps", options->steps, "Only these steps: 3..7, or 3");
  return [options] { return export_recording(*options); };
}

}  // namespace quintet
