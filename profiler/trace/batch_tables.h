/// The tables of a recording that grow: one batch per flush.
#pragma once

#include "profiler/trace/busy_summary.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// Appends a batch whose spans are sorted, and adds it to the summary pyramid. Throws SqliteError.
void write_batch(Database& database, const TraceBatch& batch, BusySummary& summary);
/// All batches. Entries that make no sense (an index outside its table, an end before its begin, a
/// column of the wrong length) are left out and counted in findings "damaged_spans" and
/// "damaged_rows". Spans come sorted. `most_spans` bounds what is set aside up front.
void read_batches(Database& database, Trace& trace, std::uint64_t most_spans);

}  // namespace quintet
