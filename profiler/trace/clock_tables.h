/// Writing and reading of the tables of clocks, which recordings made before 2026-12 lack.
#pragma once

#include <cstdint>

#include "profiler/trace/checksum_table.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// Appends the batch's clocks, lanes and pairs. Throws SqliteError.
void write_clocks(Database& database, const TraceBatch& batch);
/// Fills clocks, lane_clocks and clock_pairs; a file without the tables says nothing. Returns how
/// many rows made no sense and were left out. The lanes are read before. Throws SqliteError.
std::int64_t read_clocks(Database& database, Trace& trace, ChecksumReader& checks);

}  // namespace quintet
