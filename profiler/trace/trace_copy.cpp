#include "profiler/trace/trace_copy.h"

#include <filesystem>
#include <fmt/format.h>
#include <optional>

#include "profiler/trace/checksum_table.h"
#include "profiler/trace/folder_lock.h"
#include "profiler/trace/new_file.h"
#include "profiler/trace/plan_tables.h"
#include "profiler/trace/recording_file.h"
#include "profiler/trace/schema.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_reader.h"

namespace quintet {

namespace {

/// Copies `from` into the file being built, which then stands alone.
Result<void> copy_alone(const std::string& from, const std::string& building) {
  Database target(building, Database::Mode::create);
  FolderLock name = FolderLock::for_opening(from);
  Result<RecordingFile> file = open_recording(from);
  if (!file) return tl::unexpected(file.error());
  Database& source = file->database;
  const Transaction snapshot(source, Transaction::Kind::read);
  source.integer("PRAGMA application_id");  // the first read takes the snapshot
  name.release();
  source.backup_to(target);
  // The copy has the source's WAL mode in its header.
  target.execute("PRAGMA journal_mode = DELETE");
  change_table(target, "recording", [&target] {
    target.execute("UPDATE recording SET state = 'abandoned' WHERE state = 'growing'");
  });
  return {};
}

void expand_spans(const Trace& trace, const std::string& building) {
  Database target(building, Database::Mode::read_write);
  target.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
  Transaction transaction(target, Transaction::Kind::write);
  target.execute(fmt::format("PRAGMA application_id = {}", kExportId));
  target.execute(
      "DROP TABLE span_batches;"
      "DROP TABLE IF EXISTS checksums;"
      "DROP TABLE IF EXISTS busy_summary;"  // of older recordings
      "DELETE FROM findings;"
      "CREATE TABLE spans(id INTEGER PRIMARY KEY, step INTEGER, task INTEGER NOT NULL, "
      "name TEXT NOT NULL, layer TEXT NOT NULL, op_kind TEXT NOT NULL, part TEXT NOT NULL, "
      "graph TEXT NOT NULL, shape TEXT NOT NULL, lane TEXT NOT NULL, executor_lane TEXT NOT NULL, "
      "begin_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, cpu_ns INTEGER, activity INTEGER, "
      "correlation INTEGER, channel INTEGER) STRICT");
  Statement insert = target.prepare(
      "INSERT INTO spans VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const auto known = [](std::int64_t value) {
    return value < 0 ? std::nullopt : std::optional(value);
  };
  const auto unless = [](auto value, auto nothing) {
    return value == nothing ? std::nullopt : std::optional<std::int64_t>(value);
  };
  write_findings(target, trace.findings);  // with those of reading
  const SpanColumns& spans = trace.spans;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const TraceTask& task = trace.tasks[spans.task[i]];
    insert.run(i, known(spans.step[i]), spans.task[i], task.name, task.layer, task.op_kind,
               task.part, task.graph, task.shape, trace.lanes[spans.lane[i]].name,
               trace.lanes[spans.executor_lane[i]].name, spans.begin_ns[i], spans.end_ns[i],
               known(spans.cpu_ns[i]), unless(spans.activity[i], kWholeTask),
               unless(spans.correlation[i], std::uint32_t{0}),
               unless(spans.channel[i], kUnknownChannel));
  }
  transaction.commit();
  target.execute("PRAGMA synchronous = NORMAL; PRAGMA journal_mode = DELETE; VACUUM");
}

Result<void> check_different(const std::string& from, const std::string& to) {
  std::error_code error;
  if (!std::filesystem::equivalent(from, to, error)) return {};
  return fail("would be copied onto itself", "name another file to write", to);
}

Result<NewFile> start_copy(const std::string& from, const std::string& to, std::int64_t id) {
  if (auto head = read_head(from); !head) return tl::unexpected(head.error());
  if (auto different = check_different(from, to); !different) {
    return tl::unexpected(different.error());
  }
  return NewFile::create(to, id);
}

}  // namespace

Result<void> copy_trace(const std::string& from, const std::string& to) {
  Result<NewFile> file = start_copy(from, to, kRecordingId);
  if (!file) return tl::unexpected(file.error());
  try {
    if (auto copied = copy_alone(from, file->building()); !copied) return copied;
  } catch (const SqliteError& error) {
    return tl::unexpected(write_error(error, to));
  }
  return file->publish();
}

Result<void> export_sql(const std::string& from, const std::string& to) {
  Result<NewFile> file = start_copy(from, to, kExportId);
  if (!file) return tl::unexpected(file.error());
  try {
    if (auto copied = copy_alone(from, file->building()); !copied) return copied;
    Result<Trace> trace = read_trace(file->building());
    if (!trace) {
      trace.error().file = from;
      return tl::unexpected(trace.error());
    }
    expand_spans(*trace, file->building());
  } catch (const SqliteError& error) {
    return tl::unexpected(write_error(error, to));
  }
  return file->publish();
}

}  // namespace quintet
