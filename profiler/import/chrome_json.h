/// Reads Chrome Trace Event JSON, as PyTorch's Kineto and many others write it.
///
/// Plain or gzip; an object with `traceEvents`, or the bare array; whole, cut off, or damaged. Reads
/// a window at a time, so memory does not depend on the size of the text.
#pragma once

#include <string>
#include <string_view>

#include "profiler/import/reader_catalog.h"
#include "runtime/model/result.h"

namespace quintet {

/// True where the first byte that is no blank opens an object or an array.
bool looks_like_json(std::string_view head);

/// Reads the file into the builder. Damage is counted in findings ("damaged_events",
/// "truncated_file"); a text without any event is an error.
Result<ImportedFile> read_chrome_json(const std::string& path, const ImportOptions& options,
                                      TraceBuilder& builder);

}  // namespace quintet
