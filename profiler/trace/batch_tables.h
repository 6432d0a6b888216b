/// The tables of a recording that grow: one batch per flush.
#pragma once

#include "profiler/trace/checksum_table.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// Appends a batch whose spans are sorted. Throws SqliteError.
void write_batch(Database& database, const TraceBatch& batch);
/// The newest rows of the tables that grow; ids count up from 1, 0 = none.
struct BatchPosition {
  std::int64_t spans = 0;
  std::int64_t steps = 0;
  std::int64_t host_waits = 0;
  std::int64_t launches = 0;
  std::int64_t untimed = 0;
  std::int64_t checksums = -1;  ///< the newest batch that has some
};

BatchPosition batch_position(Database& database);

/// All batches, or the rows behind `after`. Entries that make no sense (an index outside its table, an end before its begin, a
/// column of the wrong length) are left out and counted in findings "damaged_spans" and
/// "damaged_rows". Spans come sorted. `most_spans` bounds what is set aside up front.
void read_batches(Database& database, Trace& trace, ChecksumReader& checks,
                  std::uint64_t most_spans, const BatchPosition& after = {});

}  // namespace quintet
