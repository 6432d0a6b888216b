#include "profiler/trace/trace_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "profiler/trace/batch_tables.h"
#include "profiler/trace/damaged_trace.h"
#include "profiler/trace/folder_lock.h"
#include "profiler/trace/new_file.h"
#include "profiler/trace/plan_tables.h"
#include "profiler/trace/recording_file.h"
#include "profiler/trace/schema.h"
#include "profiler/trace/sqlite.h"

namespace quintet {

namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "name a .qtrace file that quintet wrote";
constexpr const char* kCopyOrRecordAgain = "copy it again from where it was made, or record again";

/// What can be said better than SQLite would, before it opens the file.
Result<void> check_file(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return fail("no such file", kName, path);
  if (fs::is_directory(status)) return fail("is a folder", kName, path);
  if (!fs::is_regular_file(status)) return fail("is no regular file", kName, path);
  if (access(path.c_str(), R_OK) != 0) {
    return fail(fmt::format("cannot be read: {}", std::strerror(errno)),
                "ask its owner for read permission", path);
  }
  if (fs::file_size(path, error) == 0) return fail("is empty", kName, path);
  return {};
}

Error read_error(const SqliteError& error, const std::string& path) {
  switch (error.failure()) {
    case SqliteFailure::no_database:
      return {"is no recording: not a SQLite file", kName, path, 0};
    case SqliteFailure::busy:
      return {"is locked by another process", "try again when that process is done", path, 0};
    case SqliteFailure::cannot_open:
      return {fmt::format("cannot be opened ({})", error.what()),
              "a recording that is not complete needs a folder you may write: copy it there "
              "together with its -wal file",
              path, 0};
    case SqliteFailure::out_of_memory:
      return memory_error(path);
    case SqliteFailure::disk_full:
    case SqliteFailure::input_output: {
      // Without a failed system call the file is shorter than it says.
      const bool machine = error.system_error() != 0;
      return {fmt::format("cannot be read ({})", error.what()), kCopyOrRecordAgain, path, 0,
              machine ? ErrorKind::machine : ErrorKind::input};
    }
    case SqliteFailure::other:
      return {fmt::format("is damaged ({})", error.what()), kCopyOrRecordAgain, path, 0};
  }
  return {};
}

Result<void> check_schema(Database& database, const std::string& path) {
  const std::int64_t id = database.integer("PRAGMA application_id");
  if (id == kExportId) {
    return fail("is an export for other programs, no recording", "use the recording it came from",
                path);
  }
  if (id != kRecordingId)
    return fail("is no recording: another program's SQLite file", kName, path);
  const std::int64_t version = database.integer("PRAGMA user_version");
  if (version != kSchemaVersion) {
    return fail(
        fmt::format("has schema version {}, this program reads {}", version, kSchemaVersion),
        "use the quintet that wrote it, or record again", path);
  }
  return {};
}

RecordingHead head_of(Database& database) {
  Statement row = database.prepare(
      "SELECT state, pid, pid_start_ticks, boot_id, heartbeat_ns FROM recording WHERE id = 1");
  if (!row.step()) throw DamagedTrace("table recording is empty");
  RecordingHead head;
  head.writer = {row.integer(1), row.integer(2), row.text(3)};
  head.heartbeat_ns = row.integer(4);
  const std::string state = row.text(0);
  if (state == name_of(RecordingState::complete)) {
    head.state = RecordingState::complete;
  } else if (state == name_of(RecordingState::abandoned)) {
    head.state = RecordingState::abandoned;
  } else if (state == name_of(RecordingState::growing)) {
    head.state = alive(head.writer) ? RecordingState::growing : RecordingState::abandoned;
  } else {
    throw DamagedTrace(fmt::format("state \"{}\" is unknown", state));
  }
  return head;
}

/// SQLite reads the missing end of a last page as zeros, and so would we. A full disk may leave
/// such a page in a recording that is not complete; its content is in the -wal.
void check_whole_pages(Database& database, std::uint64_t bytes) {
  const auto page = static_cast<std::uint64_t>(database.integer("PRAGMA page_size"));
  if (page > 0 && bytes % page != 0) throw DamagedTrace("its end is missing");
}

/// How long the files of a recording were when it was opened; one in memory has one file.
struct FileSizes {
  std::uint64_t database = 0;
  std::uint64_t wal = 0;
};

FileSizes sizes_of(const std::string& path) {
  FileSizes sizes;
  std::error_code error;
  sizes.database = fs::file_size(path, error);
  if (const std::uint64_t wal = fs::file_size(path + "-wal", error); !error) sizes.wal = wal;
  return sizes;
}

/// Opens the file, checks it, and runs `read` inside one read transaction.
template <class T, class Read>
Result<T> read_once(const std::string& path, Read read) {
  FolderLock name = FolderLock::for_opening(path);
  if (auto checked = check_file(path); !checked) return tl::unexpected(checked.error());
  try {
    Result<RecordingFile> file = open_recording(path);
    if (!file) return tl::unexpected(file.error());
    Database& database = file->database;
    database.execute("PRAGMA cell_size_check = ON");
    Transaction transaction(database, Transaction::Kind::read);
    if (auto schema = check_schema(database, path); !schema) return tl::unexpected(schema.error());
    // Here the snapshot is taken; from now on nothing is looked up by its name.
    const FileSizes sizes =
        file->inflated_bytes > 0 ? FileSizes{file->inflated_bytes, 0} : sizes_of(path);
    name.release();
    return read(database, sizes);
  } catch (const SqliteError& error) {
    return tl::unexpected(read_error(error, path));
  } catch (const DamagedTrace& error) {
    return fail(fmt::format("is damaged ({})", error.what()), kCopyOrRecordAgain, path);
  } catch (const std::bad_alloc&) {
    return tl::unexpected(memory_error(path));
  }
}

/// Which file a path names at the moment; nothing where it names none.
std::optional<std::pair<dev_t, ino_t>> file_at(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

/// read_once, of one file, also where its folder cannot be locked: if a new run puts its recording in
/// place meanwhile, SQLite has the pages of the old file open and finds the -wal of the new one.
template <class T, class Read>
Result<T> read_recording(const std::string& path, Read read) {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto before = file_at(path);
    Result<T> result = read_once<T>(path, read);
    if (file_at(path) == before) return result;
  }
  return fail("is replaced again and again", "wait for the runs that write it to end", path);
}

// A span takes 46 bytes of blobs, in the file or in its -wal: no file holds more than this.
std::uint64_t most_spans(const FileSizes& sizes) {
  return (sizes.database + sizes.wal) / 46;
}

Trace whole_trace(Database& database, const FileSizes& sizes, const RecordingHead& head) {
  Trace trace;
  trace.state = head.state;
  if (trace.state == RecordingState::complete) check_whole_pages(database, sizes.database);
  ChecksumReader checks(database);
  CheckedRows recording(
      checks, "recording",
      database.prepare("SELECT id, state, pid, pid_start_ticks, boot_id, heartbeat_ns "
                       "FROM recording ORDER BY id"));
  while (recording.step()) {
    // head_of has read it.
  }
  read_plan(database, trace, checks);
  const auto stored_findings = static_cast<std::ptrdiff_t>(trace.findings.size());
  read_batches(database, trace, checks, most_spans(sizes));
  checks.expect_all_read();
  // Before what it explains: spans and rows that make no sense.
  if (auto mismatch = checks.finding())
    trace.findings.insert(trace.findings.begin() + stored_findings, std::move(*mismatch));
  if (trace.state == RecordingState::abandoned) {
    trace.findings.push_back(
        {Severity::data_loss, "incomplete_recording",
         fmt::format("process {} ended without finishing it: {} steps were flushed",
                     head.writer.pid, trace.steps.size()),
         1});
  }
  return trace;
}

GrowthPosition position_of(Database& database, const RecordingHead& head) {
  const auto rows = [&](const char* table) {
    return database.integer(fmt::format("SELECT coalesce(max(id) + 1, 0) FROM {}", table));
  };
  GrowthPosition position;
  position.writer = head.writer;
  position.batches = batch_position(database);
  position.lanes = rows("lanes");
  position.tasks = rows("tasks");
  position.activities = rows("activities");
  return position;
}

void set_clocks(GrowthPosition& position, const Trace& trace) {
  position.clocks = trace.clocks.size();
  position.lane_clocks = trace.lane_clocks.size();
  position.clock_pairs = trace.clock_pairs.size();
}

/// True where what is behind `from` can be put at its end: the same run, its tables as they were.
bool continues(const GrowthPosition& from, const GrowthPosition& to) {
  return from.writer.pid != 0 && from.writer.pid == to.writer.pid &&
         from.writer.start_ticks == to.writer.start_ticks &&
         from.writer.boot_id == to.writer.boot_id && from.batches.steps <= to.batches.steps &&
         from.batches.spans <= to.batches.spans && from.lanes == to.lanes &&
         from.tasks == to.tasks && from.activities == to.activities;
}

/// The rows behind a position. Their indices are checked against tables that are as long as those of the
/// recording and hold nothing. Clocks, of which there are few, come whole. Findings: what is wrong with the rows.
Trace rows_behind(Database& database, const FileSizes& sizes, const GrowthPosition& from) {
  Trace rows;
  rows.lanes.resize(static_cast<std::size_t>(from.lanes));
  rows.tasks.resize(static_cast<std::size_t>(from.tasks));
  rows.activities.resize(static_cast<std::size_t>(from.activities));
  rows.graphs.resize(
      static_cast<std::size_t>(database.integer("SELECT coalesce(max(id) + 1, 0) FROM graphs")));
  ChecksumReader checks(database);
  read_batches(database, rows, checks, most_spans(sizes), from.batches);
  if (auto mismatch = checks.finding()) rows.findings.push_back(std::move(*mismatch));
  return rows;
}

/// True where the clocks read now begin with those read before.
bool clocks_continue(const GrowthPosition& from, const Trace& rows) {
  return rows.lane_clocks.size() == from.lane_clocks && rows.clocks.size() >= from.clocks &&
         rows.clock_pairs.size() >= from.clock_pairs;
}

TraceBatch batch_of(Trace rows, const GrowthPosition& from) {
  TraceBatch batch;
  batch.spans = std::move(rows.spans);
  batch.untimed = std::move(rows.untimed);
  batch.steps = std::move(rows.steps);
  batch.host_waits = std::move(rows.host_waits);
  batch.launches = std::move(rows.launches);
  const auto behind = [](auto& list, std::size_t count) {
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count));
    return std::move(list);
  };
  batch.clocks = behind(rows.clocks, from.clocks);
  batch.clock_pairs = behind(rows.clock_pairs, from.clock_pairs);
  return batch;
}

}  // namespace

Result<Trace> read_trace(const std::string& path) {
  return read_recording<Trace>(path, [](Database& database, const FileSizes& sizes) {
    return whole_trace(database, sizes, head_of(database));
  });
}

Result<RecordingHead> read_head(const std::string& path) {
  return read_recording<RecordingHead>(path, [](Database& database, const FileSizes&) {
    RecordingHead head = head_of(database);
    head.steps = database.integer("SELECT count(*) FROM steps");
    head.spans = database.integer("SELECT total(spans) FROM span_batches");
    head.span_batches = database.integer("SELECT count(*) FROM span_batches");
    ChecksumReader unreported(database);
    head.provenance = read_provenance(database, unreported);
    return head;
  });
}

Result<TraceGrowth> read_growth(const std::string& path, GrowthPosition& position) {
  GrowthPosition now;
  Result<TraceGrowth> growth =
      read_recording<TraceGrowth>(path, [&](Database& database, const FileSizes& sizes) {
        const RecordingHead head = head_of(database);
        now = position_of(database, head);
        TraceGrowth found;
        found.state = head.state;
        if (head.state == RecordingState::growing && continues(position, now)) {
          Trace rows = rows_behind(database, sizes, position);
          // A batch cannot say what is wrong with it; the whole can.
          if (rows.findings.empty() && clocks_continue(position, rows)) {
            set_clocks(now, rows);
            found.batch = batch_of(std::move(rows), position);
            return found;
          }
        }
        found.whole = whole_trace(database, sizes, head);
        set_clocks(now, *found.whole);
        return found;
      });
  if (growth) position = now;
  return growth;
}

}  // namespace quintet
