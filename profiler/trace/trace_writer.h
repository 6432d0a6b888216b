/// Writes a .qtrace recording while the run goes on; what has been flushed survives a kill.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "profiler/trace/checksum_table.h"
#include "profiler/trace/new_file.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_batch.h"
#include "runtime/model/result.h"

namespace quintet {

/// What became of the batches so far.
struct WriterStatus {
  std::optional<Error> error;  ///< why it stopped; nothing = it has not
  std::int64_t stored_batches = 0;
  std::int64_t stored_spans = 0;
  std::int64_t dropped_batches = 0;  ///< after it stopped
  std::int64_t dropped_spans = 0;
  std::int64_t dropped_steps = 0;
};

/// Owns the file. One thread at a time. Never throws and never ends the run: a write that fails
/// stops the recording, keeps the file valid with whole batches, and is told by status(). Destroyed
/// without finish(), it leaves an `abandoned` recording, and none at all before write_static().
///
///   auto writer = TraceWriter::create("run.qtrace");   // X.new; an old run.qtrace still stands
///   (*writer)->write_static(plan);                     // run.qtrace, growing
///   (*writer)->append_batch(batch); ...                // one transaction each
///   (*writer)->finish();                               // complete, one file
class TraceWriter {
 public:
  /// A recording that is already at `path` is replaced by write_static(), in one rename; any other
  /// file there is an error, as is one that a live process is recording into.
  static Result<std::unique_ptr<TraceWriter>> create(const std::string& path);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Writes what is known before the first step (provenance, findings, lanes ... commands) and puts
  /// the file in place. An error leaves no file.
  Result<void> write_static(const Trace& plan);
  /// One transaction. False: not stored, counted in status().
  bool append_batch(TraceBatch batch);
  void set_provenance(const std::string& key, const std::string& value);
  void add_finding(const Finding& finding);
  /// Tells readers that the run is alive though no batch has come for a while.
  void heartbeat();
  /// Marks the recording complete and leaves exactly one file, which opens in a read-only folder.
  /// An error where it stopped before: the file then says `abandoned`, if that could still be
  /// written.
  Result<void> finish();

  [[nodiscard]] const WriterStatus& status() const { return status_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  TraceWriter(std::string path, NewFile file);
  Result<void> start_file();
  Result<void> give_up(const Error& error);
  template <class Write>
  bool attempt(Write write);
  void mark_stopped();
  void touch();
  bool leave_one_file();

  std::string path_;
  std::optional<NewFile> new_file_;     ///< until write_static has put it in place
  std::unique_ptr<Database> database_;  ///< nothing after finish
  ChecksumWriter checksums_;
  WriterStatus status_;
  bool marked_ = false;  ///< the file says that it stopped
};

}  // namespace quintet
