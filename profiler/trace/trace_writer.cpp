#include "profiler/trace/trace_writer.h"

#include <cassert>
#include <chrono>
#include <fmt/format.h>
#include <thread>

#include "profiler/trace/batch_tables.h"
#include "profiler/trace/folder_lock.h"
#include "profiler/trace/plan_tables.h"
#include "profiler/trace/process_identity.h"
#include "profiler/trace/schema.h"
#include "profiler/trace/span_order.h"

namespace quintet {

namespace {

std::int64_t realtime_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

void change_recording(Database& database, const std::string& assignments) {
  change_table(database, "recording",
               [&] { database.execute("UPDATE recording SET " + assignments); });
}

}  // namespace

TraceWriter::TraceWriter(std::string path, NewFile file)
    : path_(std::move(path)), new_file_(std::move(file)) {}

Result<std::unique_ptr<TraceWriter>> TraceWriter::create(const std::string& path) {
  Result<NewFile> file = NewFile::create(path, kRecordingId);
  if (!file) return tl::unexpected(file.error());
  std::unique_ptr<TraceWriter> writer(new TraceWriter(path, std::move(*file)));
  if (auto started = writer->start_file(); !started) return tl::unexpected(started.error());
  return writer;
}

TraceWriter::~TraceWriter() {
  if (!database_ || new_file_) return;
  if (!status_.error) {
    attempt([&] { change_recording(*database_, "state = 'abandoned'"); });
  } else if (!marked_) {
    mark_stopped();
  }
}

Result<void> TraceWriter::start_file() {
  try {
    database_ = std::make_unique<Database>(new_file_->building(), Database::Mode::create);
    // Nobody reads the file before it is in place, and nothing of it is kept if that fails.
    database_->execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    Transaction transaction(*database_, Transaction::Kind::write);
    database_->execute(schema_sql());
    const ProcessIdentity self = this_process();
    change_table(*database_, "recording", [&] {
      database_->prepare("INSERT INTO recording VALUES (1, 'growing', ?, ?, ?, ?)")
          .run(self.pid, self.start_ticks, self.boot_id, realtime_ns());
    });
    transaction.commit();
  } catch (const SqliteError& error) {
    return give_up(write_error(error, path_));
  }
  return {};
}

Result<void> TraceWriter::give_up(const Error& error) {
  status_.error = error;
  database_.reset();
  if (!new_file_) remove_database(path_);
  new_file_.reset();
  return tl::unexpected(error);
}

Result<void> TraceWriter::write_static(const Trace& plan) {
  assert(new_file_ && "write_static is called once");
  if (status_.error) return give_up(*status_.error);
  try {
    Transaction transaction(*database_, Transaction::Kind::write);
    write_plan(*database_, plan);
    checksums_.seal(*database_);
    transaction.commit();
    database_->execute("PRAGMA synchronous = NORMAL");
    if (const std::string mode = database_->text("PRAGMA journal_mode = WAL"); mode != "wal") {
      return give_up(
          {fmt::format("this file system cannot hold a growing recording (journal {})", mode),
           "write to a local disk", path_, 0});
    }
    database_.reset();
    if (auto published = new_file_->publish(); !published) return give_up(published.error());
    new_file_.reset();
    database_ = std::make_unique<Database>(path_, Database::Mode::read_write);
    database_->execute("PRAGMA synchronous = NORMAL");
    // Makes the -wal and -shm: if there is no room for them, that shows now.
    Transaction first(*database_, Transaction::Kind::write);
    touch();
    first.commit();
  } catch (const SqliteError& error) {
    return give_up(write_error(error, path_));
  }
  return {};
}

/// Runs `write` in a transaction; a failure stops the recording.
template <class Write>
bool TraceWriter::attempt(Write write) {
  if (!database_ || status_.error) return false;
  try {
    Transaction transaction(*database_, Transaction::Kind::write);
    write();
    transaction.commit();
    return true;
  } catch (const SqliteError& error) {
    status_.error = write_error(error, path_);
    return false;
  }
}

bool TraceWriter::append_batch(TraceBatch batch) {
  assert((!database_ || !new_file_) && "write_static comes first");
  sort_spans(batch.spans);
  const auto spans = static_cast<std::int64_t>(batch.spans.size());
  const bool stored = attempt([&] {
    write_batch(*database_, batch);
    checksums_.seal(*database_);
    touch();
  });
  if (stored) {
    ++status_.stored_batches;
    status_.stored_spans += spans;
  } else {
    ++status_.dropped_batches;
    status_.dropped_spans += spans;
    status_.dropped_steps += static_cast<std::int64_t>(batch.steps.size());
    if (database_ && status_.dropped_batches == 1) mark_stopped();
  }
  return stored;
}

void TraceWriter::set_provenance(const std::string& key, const std::string& value) {
  attempt([&] { write_provenance(*database_, {{key, value}}); });
}

void TraceWriter::add_finding(const Finding& finding) {
  attempt([&] { write_findings(*database_, {finding}); });
}

void TraceWriter::heartbeat() {
  attempt([&] { touch(); });
}

void TraceWriter::touch() {
  change_recording(*database_, fmt::format("heartbeat_ns = {}", realtime_ns()));
}

/// Says in the file that it stopped. What the failed transaction wrote to the -wal is free again,
/// so this mostly fits on a full disk too; if not, checkpointing may free the rest of it.
void TraceWriter::mark_stopped() {
  for (const bool checkpointed : {false, true}) {
    try {
      if (checkpointed) database_->execute("PRAGMA wal_checkpoint(RESTART)");
      Transaction transaction(*database_, Transaction::Kind::write);
      change_recording(*database_, "state = 'abandoned'");
      const std::string message =
          fmt::format("{}: stored {} spans, dropped {} spans and {} steps", status_.error->message,
                      status_.stored_spans, status_.dropped_spans, status_.dropped_steps);
      write_findings(*database_,
                     {{Severity::data_loss, "recording_stopped", message, status_.dropped_spans}},
                     "recording_stopped");
      transaction.commit();
      marked_ = true;
      return;
    } catch (const SqliteError&) {
      // status() has the first failure; the file stays `growing` and reads as abandoned once this
      // process is gone.
    }
  }
}

bool TraceWriter::leave_one_file() {
  // Leaving WAL needs the file alone: those who read it now get time to end, and nobody else begins.
  // Else readers that come one upon the other, as those of a busy machine do, would keep us out.
  const FolderLock name = FolderLock::against_opening(path_);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  do {
    try {
      database_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
      if (database_->text("PRAGMA journal_mode = DELETE") == "delete") return true;
    } catch (const SqliteError& error) {
      if (error.failure() == SqliteFailure::disk_full) return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  } while (std::chrono::steady_clock::now() < deadline);
  return false;
}

Result<void> TraceWriter::finish() {
  assert(!new_file_ && "write_static comes first");
  if (!database_) {
    if (status_.error) return tl::unexpected(*status_.error);
    return {};
  }
  attempt([&] {
    change_recording(*database_,
                     fmt::format("state = 'complete', heartbeat_ns = {}", realtime_ns()));
  });
  if (status_.error) mark_stopped();
  // Where the side files must stay, the recording is as good; copy_trace makes it one file.
  leave_one_file();
  database_.reset();
  if (status_.error) return tl::unexpected(*status_.error);
  return {};
}

}  // namespace quintet
