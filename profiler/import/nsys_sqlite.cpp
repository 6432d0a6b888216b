#include "profiler/import/nsys_sqlite.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "profiler/import/chrome_document.h"
#include "profiler/import/nsys_device_tables.h"
#include "profiler/import/nsys_host_tables.h"
#include "profiler/import/nsys_reading.h"
#include "profiler/import/nsys_target.h"
#include "profiler/import/table_rows.h"
#include "profiler/trace/schema.h"

namespace quintet {

namespace {

Error read_error(const SqliteError& error, const std::string& path) {
  switch (error.failure()) {
    case SqliteFailure::busy:
      return {"is locked by another process", "try again when that process is done", path, 0};
    case SqliteFailure::cannot_open:
      return {fmt::format("cannot be opened ({})", error.what()),
              "copy it to a folder you may write", path, 0};
    case SqliteFailure::out_of_memory:
      return {"does not fit in memory", "use a machine with more memory", path, 0};
    case SqliteFailure::no_database:
    case SqliteFailure::disk_full:
    case SqliteFailure::input_output:
    case SqliteFailure::other:
      return {fmt::format("is damaged ({})", error.what()),
              "export the report again: nsys export --type sqlite", path, 0};
  }
  return {};
}

/// About how many rows will be read.
std::int64_t rows_about(Database& database) {
  constexpr std::size_t kMostTables = 1000;
  constexpr std::int64_t kMostRows = 1LL << 40;  // of a table; no sum of them overflows
  std::int64_t rows = 0;
  for (const std::string& table : table_names(database, kMostTables))
    rows += std::min(TableRows(database, table).rows_about(), kMostRows);
  return rows;
}

void read_strings(NsysReading& reading) {
  TableRows rows(reading.database(), "StringIds");
  const auto id = rows.column("id");
  const auto value = rows.column("value");
  while (reading.next(rows)) {
    const auto number = rows.integer(id);
    const auto text = rows.text(value);
    if (number && text) reading.strings().add(*number, *text);
  }
  reading.close(rows);
  reading.strings().sort();
}

void read_all(NsysReading& reading) {
  read_nsys_diagnostics(reading);
  read_nsys_session(reading);
  read_nsys_gpus(reading);
  read_strings(reading);
  read_nsys_calls(reading);
  read_nsys_device_tables(reading);
  read_nsys_ranges(reading);
  read_nsys_thread_names(reading);
  read_nsys_processes(reading);
  describe_nsys_gpus(reading);
  count_nsys_other_tables(reading);
}

}  // namespace

bool looks_like_sqlite(std::string_view head) {
  return head.starts_with(std::string_view("SQLite format 3\0", 16));
}

Result<ImportedFile> read_nsys_database(Database& database, const std::string& path,
                                        std::uint64_t bytes, const ImportOptions& options,
                                        TraceBuilder& builder) {
  if (database.integer("PRAGMA application_id") == kRecordingId) {
    return fail("is a recording of quintet already", fmt::format("use it: quintet report {}", path),
                path);
  }
  const ImportSourceId source = builder.open_source(path, "nsys_sqlite", CorrelationScope::process);
  NsysReading reading(database, builder, source, options.progress, bytes);
  if (auto schema = check_nsys_schema(reading, path); !schema)
    return tl::unexpected(schema.error());
  if (const auto rank = rank_of_file_name(path)) {
    builder.set_rank(source, *rank);
    builder.count(Severity::info, "rank_of_file_name",
                  "files that do not tell their rank: it was taken from the file's name");
  }
  reading.expect_rows(rows_about(database));
  read_all(reading);
  if (reading.cancelled()) return cancelled_import(path);
  if (options.progress && !options.progress(bytes, bytes)) return cancelled_import(path);
  ImportedFile file;
  file.file = path;
  file.format = "nsys_sqlite";
  file.bytes = bytes;
  file.text_bytes = bytes;
  file.skipped_events = reading.skipped_rows();
  file.first_damage = reading.first_damage();
  file.categories = reading.categories().sorted();
  return file;
}

Result<ImportedFile> read_nsys_sqlite(const std::string& path, const ImportOptions& options,
                                      TraceBuilder& builder) {
  try {
    Database database(path, Database::Mode::read_only);
    database.execute("PRAGMA cell_size_check = ON");
    Transaction transaction(database, Transaction::Kind::read);
    std::error_code none;
    return read_nsys_database(database, path, std::filesystem::file_size(path, none), options,
                              builder);
  } catch (const SqliteError& error) {
    return tl::unexpected(read_error(error, path));
  }
}

}  // namespace quintet
