/// The formats an import can read: a plain list, tried in order.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "profiler/import/import_report.h"
#include "profiler/import/trace_builder.h"
#include "runtime/model/result.h"

namespace quintet {

struct ImportOptions {
  ImportProgress progress;  ///< may be empty
  /// Text in memory at first; it grows where one event needs more. Other sizes give the same trace.
  std::size_t window_bytes = std::size_t{1} << 20U;
};

/// One format.
struct TraceFormat {
  std::string_view name;         ///< "chrome_json"
  std::string_view description;  ///< for people: what writes it, what its files are called
  /// True for files that begin with these bytes (up to 4096 of them, decompressed).
  bool (*recognises)(std::string_view head) = nullptr;
  /// Reads a whole file into the builder: opens one source, never calls finish(). Damage is counted
  /// in findings; errors are files of which nothing can be read, and cancelled_import().
  Result<ImportedFile> (*read)(const std::string& path, const ImportOptions& options,
                               TraceBuilder& builder) = nullptr;
};

std::span<const TraceFormat> trace_format_catalog();

/// The format of a file that begins with these bytes; null where none reads it.
const TraceFormat* recognise(std::string_view head);

/// The error of an import whose progress callback said no.
tl::unexpected<Error> cancelled_import(const std::string& path);

}  // namespace quintet
