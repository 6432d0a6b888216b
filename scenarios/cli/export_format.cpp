#include "scenarios/cli/export_format.h"

#include <array>

#include "profiler/report/chrome_trace.h"
#include "profiler/report/csv_report.h"
#include "profiler/report/dot_graph.h"
#include "profiler/report/html_report.h"
#include "profiler/report/json_report.h"
#include "profiler/report/perfetto_trace.h"
#include "profiler/report/report.h"
#include "profiler/report/svg_graph.h"

namespace quintet {

namespace {

Result<void> pass(const Result<std::string>& document, const ByteSink& sink) {
  if (!document) return tl::unexpected(document.error());
  return sink(*document);
}

template <Result<void> (*Write)(const Trace&, const ByteSink&)>
Result<void> timeline(const Trace& trace, const ExportOptions& /*options*/, const ByteSink& sink) {
  return Write(trace, sink);
}

template <Result<std::string> (*Draw)(const Trace&, const std::string&)>
Result<void> graph(const Trace& trace, const ExportOptions& options, const ByteSink& sink) {
  return pass(Draw(trace, options.graph), sink);
}

template <std::string (*Write)(const Report&)>
Result<void> report(const Trace& trace, const ExportOptions& /*options*/, const ByteSink& sink) {
  return sink(Write(build_report(trace)));
}

Result<void> csv(const Trace& trace, const ExportOptions& options, const ByteSink& sink) {
  const CsvTable* table =
      options.table.empty() ? &csv_tables().front() : csv_table_named(options.table);
  if (table == nullptr) return fail("there is no table '" + options.table + "'");
  return sink(table->write(build_report(trace)));
}

std::string indented_json(const Report& report) {
  return json_report(report);
}

constexpr std::array<ExportFormat, 8> kFormats = {{
    {"perfetto", ".pftrace", ".perfetto-trace", false, false, false,
     &timeline<write_perfetto_trace>},
    {"chrome", ".trace.json", "", true, false, false, &timeline<write_chrome_trace>},
    {"csv", ".csv", "", true, false, true, &csv},
    {"json", ".json", "", true, false, false, &report<indented_json>},
    {"html", ".html", ".htm", true, false, false, &report<html_report>},
    {"dot", ".dot", ".gv", true, true, false, &graph<dot_graph>},
    {"svg", ".svg", "", true, true, false, &graph<svg_graph>},
    {"sql", ".sqlite", ".db", false, false, false, nullptr},
}};

}  // namespace

std::span<const ExportFormat> export_formats() {
  return kFormats;
}

const ExportFormat* format_named(std::string_view name) {
  for (const ExportFormat& format : kFormats)
    if (format.name == name) return &format;
  return nullptr;
}

const ExportFormat* format_of_path(std::string_view path) {
  const ExportFormat* best = nullptr;
  std::size_t length = 0;
  for (const ExportFormat& format : kFormats) {
    for (const std::string_view extension : {format.extension, format.other_extension}) {
      if (extension.size() <= length || !path.ends_with(extension)) continue;
      best = &format;
      length = extension.size();
    }
  }
  return best;
}

std::string export_format_names() {
  std::string names;
  for (const ExportFormat& format : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

}  // namespace quintet
