/// The forms in which `quintet export` writes a recording.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "profiler/report/byte_sink.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

struct ExportOptions {
  std::string graph;  ///< of task graphs; empty = all
  std::string table;  ///< of csv; empty = the first
};

struct ExportFormat {
  std::string_view name;
  std::string_view extension;        ///< of the file that is written by default
  std::string_view other_extension;  ///< told as well; empty = none
  bool text = true;                  ///< may go to standard output
  bool draws_graphs = false;         ///< takes --graph
  bool has_tables = false;           ///< takes --table, and a folder for all of them
  /// Null where the file itself is copied rather than the trace written: sql.
  Result<void> (*write)(const Trace& trace, const ExportOptions& options,
                        const ByteSink& sink) = nullptr;
};

/// Every format, in the order of --help.
std::span<const ExportFormat> export_formats();
/// Null where no format has the name.
const ExportFormat* format_named(std::string_view name);
/// The format with the longest extension that the path ends with; null where none does.
const ExportFormat* format_of_path(std::string_view path);
/// "perfetto, chrome, ...".
std::string export_format_names();

}  // namespace quintet
