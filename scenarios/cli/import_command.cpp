#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <vector>

#include "profiler/import/import.h"
#include "profiler/report/json_parts.h"
#include "profiler/trace/new_file.h"
#include "profiler/trace/trace_parts.h"
#include "profiler/trace/trace_writer.h"
#include "profiler/trace/utf8.h"
#include "scenarios/cli/command.h"
#include "scenarios/cli/interrupt_watch.h"
#include "scenarios/cli/nsys_report.h"
#include "scenarios/cli/progress_line.h"
#include "scenarios/cli/standard_output.h"

namespace quintet {

namespace {

constexpr std::size_t kBatchSpans = 262'144;
constexpr std::uint64_t kMegabyte = 1'000'000;

struct ImportArguments {
  std::vector<std::string> files;
  std::string out;
  bool json = false;
};

/// "trace.qtrace" of "folder/trace.pt.trace.json.gz": beside no source, in this folder.
std::string default_recording(const std::string& file) {
  constexpr auto kEndings = std::to_array<std::string_view>(
      {".gz", ".json", ".trace", ".pt", ".sqlite", ".nsys-rep", ".qdrep"});
  std::string name = std::filesystem::path(file).filename().string();
  for (const std::string_view ending : kEndings) {
    if (name.size() > ending.size() && name.ends_with(ending))
      name.resize(name.size() - ending.size());
  }
  return name + ".qtrace";
}

/// Writes the trace in batches; an interrupt leaves no file.
Result<void> write_recording(TraceWriter& writer, const Trace& trace, InterruptWatch& watch) {
  if (auto begun = writer.write_static(trace); !begun) return begun;
  ProgressLine progress("writing " + writer.path(), static_cast<std::int64_t>(trace.spans.size()),
                        "spans");
  TraceParts parts(trace, kBatchSpans);
  bool stored = true;
  while (stored && !parts.done()) {
    if (watch.interrupted()) return cancelled_import(writer.path());
    stored = writer.append_batch(parts.next());
    progress.update(static_cast<std::int64_t>(parts.spans()), {});
  }
  if (!stored) return tl::unexpected(*writer.status().error);
  return writer.finish();
}

Result<Imported> read_files(const ImportArguments& options, const std::vector<std::string>& files,
                            InterruptWatch& watch) {
  std::unique_ptr<ProgressLine> line;
  ImportOptions import;
  import.progress = [&](std::uint64_t done, std::uint64_t total) {
    if (!line) {
      line = std::make_unique<ProgressLine>("reading " + options.files.front(),
                                            static_cast<std::int64_t>(total / kMegabyte), "MB");
}
line->update(static_cast<std::int64_t>(done / kMegabyte), {});
return !watch.interrupted();
};  // namespace
return import_trace(files, import);
}  // namespace quintet

OrderedJson json_of(const std::optional<ImportedDamage>& damage) {
  if (!damage) return {};
  if (!damage->table.empty()) return {{"table", damage->table}, {"row", damage->record}};
  return {{"event", damage->record}, {"byte", damage->byte.value_or(0)}};
}

OrderedJson json_of(const ImportedFile& file) {
  OrderedJson categories = OrderedJson::array();
  for (const ImportedCategory& category : file.categories) {
    categories.push_back(
        {{"name", category.name}, {"read", category.read}, {"drawn", category.drawn}});
  }
  return {{"file", file.file},
          {"format", file.format},
          {"bytes", file.bytes},
          {"text_bytes", file.text_bytes},
          {"events", file.events()},
          {"drawn", file.drawn()},
          {"skipped_events", file.skipped_events},
          {"skipped_bytes", file.skipped_bytes},
          {"truncated_at", file.truncated_at ? OrderedJson(*file.truncated_at) : OrderedJson()},
          {"trailing_bytes", file.trailing_bytes},
          {"first_damage", json_of(file.first_damage)},
          {"categories", std::move(categories)}};
}

OrderedJson json_of(const ImportReport& report, const std::string& recording) {
  OrderedJson files = OrderedJson::array();
  for (const ImportedFile& file : report.files)
    files.push_back(json_of(file));
  return {{"schema", "quintet.import"},
          {"version", 1},
          {"recording", recording},
          {"files", std::move(files)},
          {"spans", report.spans},
          {"untimed", report.untimed},
          {"steps", report.steps},
          {"lanes", report.lanes},
          {"findings", findings_json(report.findings)}};
}

/// An import that shows that the recording of the other profiler failed is a failed check.
ExitCode status_of(const ImportReport& report) {
  const bool failed =
      std::any_of(report.findings.begin(), report.findings.end(),
                  [](const Finding& finding) { return finding.severity == Severity::error; });
  return failed ? ExitCode::check_failed : ExitCode::fine;
}

ExitCode run(ImportArguments options) {
  if (options.out.empty()) options.out = default_recording(options.files.front());
  InterruptWatch watch;
  // First of all: whoever cannot write the recording need not read for minutes.
  Result<std::unique_ptr<TraceWriter>> writer = TraceWriter::create(options.out);
  if (!writer) return report_error(writer.error());
  auto reports = ConvertedReports::of(options.files, watch);
  if (!reports) return report_error(reports.error());
  Result<Imported> imported = read_files(options, reports->files(), watch);
  if (!imported) return report_error(reports->told(imported.error()));
  reports->name_sources(*imported);
  imported->trace.provenance["quintet_version"] = QUINTET_VERSION;
  if (auto written = write_recording(**writer, imported->trace, watch); !written) {
    writer->reset();
    remove_database(options.out);
    return watch.interrupted() ? report_error(written.error())
                               : report_failure(to_string(written.error()));
  }
  const ImportReport& report = imported->report;
  const std::string text =
      options.json ? dump_json(json_of(report, options.out), 2) + "\n"
                   : import_text(report) + "recording " + visible_text(options.out) + "\n";
  return print_output(text, status_of(report));
}

/// What can be read, as --help says it.
std::string known_formats() {
  std::string known;
  for (const TraceFormat& format : trace_format_catalog())
    known += std::string(format.description) + "; ";
  return known + "Nsight Systems' own reports (.nsys-rep), where nsys is installed";
}

}  // namespace

CommandAction add_import(CLI::App& app) {
  auto options = std::make_shared<ImportArguments>();
  app.add_option("file", options->files,
                 "Traces of other profilers, one for each rank: " + known_formats())
      ->required();
  app.add_option("--out", options->out,
                 "The recording (default: the first file's name with .qtrace, in this folder)");
  app.add_flag("--json", options->json, "One JSON object on standard output");
  return [options] { return run(*options); };
}

}  // namespace quintet
