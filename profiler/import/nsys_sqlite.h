/// Reads the SQLite exports of NVIDIA Nsight Systems, schema 3.x (2024.6 to 2026.4).
///
/// Any table and any column may be missing: exports are made of what was recorded. Rows decide what
/// a file tells, not columns. A correlation, a stream and a device mean something inside one
/// process only.
#pragma once

#include <string>
#include <string_view>

#include "profiler/import/reader_catalog.h"
#include "profiler/trace/sqlite.h"

namespace quintet {

/// True for SQLite files, whoever wrote them.
bool looks_like_sqlite(std::string_view head);

/// Reads an export into the builder, row by row: beside the trace only its strings, its graph nodes
/// and its lists of processes and GPUs are held. Errors: another program's SQLite file, another
/// major version of the schema, a file that cannot be read, a cancelled import.
Result<ImportedFile> read_nsys_sqlite(const std::string& path, const ImportOptions& options,
                                      TraceBuilder& builder);

/// As read_nsys_sqlite, of an open database of `bytes` bytes; throws SqliteError. `path` is what
/// errors and the report call it.
Result<ImportedFile> read_nsys_database(Database& database, const std::string& path,
                                        std::uint64_t bytes, const ImportOptions& options,
                                        TraceBuilder& builder);

}  // namespace quintet
