#include "profiler/trace/trace_file.h"

#include <fmt/format.h>
#include <new>
#include <utility>

#include "profiler/trace/batch_tables.h"
#include "profiler/trace/checksum_table.h"
#include "profiler/trace/gzip_file.h"
#include "profiler/trace/new_file.h"
#include "profiler/trace/plan_tables.h"
#include "profiler/trace/recording_file.h"
#include "profiler/trace/schema.h"
#include "profiler/trace/span_order.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_parts.h"

namespace quintet {

namespace {

constexpr std::size_t kSpansABatch = 262'144;

/// `trace` has sorted spans.
void write_sorted(const Trace& trace, Database& database) {
  Transaction transaction(database, Transaction::Kind::write);
  database.execute(schema_sql());
  // No process writes it bit by bit.
  change_table(database, "recording", [&database] {
    database.execute("INSERT INTO recording VALUES (1, 'complete', 0, 0, '', 0)");
  });
  ChecksumWriter checksums;
  write_plan(database, trace);
  checksums.seal(database);
  TraceParts parts(trace, kSpansABatch);
  while (!parts.done()) {
    write_batch(database, parts.next());
    checksums.seal(database);
  }
  transaction.commit();
}

void write_into(const Trace& trace, Database& database) {
  if (spans_sorted(trace.spans)) {
    write_sorted(trace, database);
  } else {
    Trace sorted = trace;
    sort_spans(sorted.spans);
    write_sorted(sorted, database);
  }
}

void write_plain(const Trace& trace, const NewFile& file) {
  Database database(file.building(), Database::Mode::create);
  // Nobody reads the file before it is in place, and nothing of it is kept if that fails.
  database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  write_into(trace, database);
}

Result<void> write_gzip(const Trace& trace, NewFile& file, const std::string& path) {
  std::vector<std::byte> bytes;
  {
    Database database(":memory:", Database::Mode::create);
    write_into(trace, database);
    bytes = database.image();
  }
  if (bytes.size() > kMostInflatedBytes) {
    return fail(fmt::format("takes {} MiB, a compressed recording takes at most {}",
                            bytes.size() >> 20, kMostInflatedBytes >> 20),
                "keep fewer steps, or end its name in .qtrace", path);
  }
  return file.fill(deflate_bytes(bytes));
}

}  // namespace

TraceForm form_of(const std::string& path) {
  return path.ends_with(".gz") ? TraceForm::gzip : TraceForm::plain;
}

Result<void> write_trace(const Trace& trace, const std::string& path, TraceForm form) {
  Result<NewFile> file = NewFile::create(path, kRecordingId);
  if (!file) return tl::unexpected(file.error());
  try {
    if (form == TraceForm::plain) {
      write_plain(trace, *file);
    } else if (auto written = write_gzip(trace, *file, path); !written) {
      return written;
    }
  } catch (const SqliteError& error) {
    return tl::unexpected(write_error(error, path));
  } catch (const std::bad_alloc&) {
    return tl::unexpected(memory_error(path));
  }
  return file->publish();
}

}  // namespace quintet
