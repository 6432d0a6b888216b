#include "profiler/trace/trace_file.h"

#include <fmt/format.h>
#include <new>
#include <utility>

#include "profiler/trace/batch_tables.h"
#include "profiler/trace/gzip_file.h"
#include "profiler/trace/new_file.h"
#include "profiler/trace/plan_tables.h"
#include "profiler/trace/recording_file.h"
#include "profiler/trace/schema.h"
#include "profiler/trace/span_order.h"
#include "profiler/trace/sqlite.h"

namespace quintet {

namespace {

std::vector<std::byte> image_of(const Trace& trace) {
  Database database(":memory:", Database::Mode::create);
  Transaction transaction(database, Transaction::Kind::write);
  database.execute(schema_sql());
  // No process writes it bit by bit.
  database.execute("INSERT INTO recording VALUES (1, 'complete', 0, 0, '', 0)");
  write_plan(database, trace);
  TraceBatch batch;
  batch.spans = trace.spans;
  sort_spans(batch.spans);
  batch.untimed = trace.untimed;
  batch.steps = trace.steps;
  batch.host_waits = trace.host_waits;
  batch.launches = trace.launches;
  batch.clocks = trace.clocks;
  batch.lane_clocks = trace.lane_clocks;
  batch.clock_pairs = trace.clock_pairs;
  BusySummary summary;
  write_batch(database, batch, summary);
  transaction.commit();
  return database.image();
}

}  // namespace

TraceForm form_of(const std::string& path) {
  return path.ends_with(".gz") ? TraceForm::gzip : TraceForm::plain;
}

Result<void> write_trace(const Trace& trace, const std::string& path, TraceForm form) {
  Result<NewFile> file = NewFile::create(path, kRecordingId);
  if (!file) return tl::unexpected(file.error());
  try {
    std::vector<std::byte> bytes = image_of(trace);
    if (form == TraceForm::gzip && bytes.size() > kMostInflatedBytes) {
      return fail(fmt::format("takes {} MiB, a compressed recording takes at most {}",
                              bytes.size() >> 20, kMostInflatedBytes >> 20),
                  "keep fewer steps, or end its name in .qtrace", path);
    }
    if (form == TraceForm::gzip) bytes = deflate_bytes(bytes);
    if (auto filled = file->fill(bytes); !filled) return filled;
  } catch (const SqliteError& error) {
    return tl::unexpected(write_error(error, path));
  } catch (const std::bad_alloc&) {
    return fail("does not fit in memory", "use a machine with more memory", path);
  }
  return file->publish();
}

}  // namespace quintet
