/// Imports traces of other profilers: one file, or one file of each rank.
#pragma once

#include <span>
#include <string>

#include "profiler/import/import_report.h"
#include "profiler/import/reader_catalog.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// A trace and the story of its making.
struct Imported {
  Trace trace;
  ImportReport report;
};

/// Reads the files into one trace; the content of a file, not its name, tells its format. Errors: a
/// file that cannot be read or whose format is unknown, more than kMostImportSources files, files
/// that cannot be of one run (profiler/import/file_clocks.h), a cancelled import.
Result<Imported> import_trace(std::span<const std::string> paths,
                              const ImportOptions& options = {});
Result<Imported> import_trace(const std::string& path, const ImportOptions& options = {});

}  // namespace quintet
