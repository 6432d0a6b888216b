/// The tables of a recording that are written before the first step; a batch may add rows to some.
#pragma once

#include <string_view>
#include <vector>

#include "profiler/trace/checksum_table.h"
#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {

/// Writes provenance, lanes, regions, tensors, tasks, graphs, commands, activities and findings. Throws
/// SqliteError.
void write_plan(Database& database, const Trace& trace);
/// Adds what a batch brings to these tables: lanes, tasks, activities. Throws SqliteError.
void append_plan(Database& database, const TraceBatch& batch);
/// The reverse of write_plan. Throws SqliteError, and DamagedTrace where an index points nowhere or a word is
/// unknown.
void read_plan(Database& database, Trace& trace, ChecksumReader& checks);

/// The part of read_plan that says where a recording comes from.
Provenance read_provenance(Database& database, ChecksumReader& checks);
/// Adds keys, or replaces their values.
void write_provenance(Database& database, const Provenance& provenance);
/// Adds findings, in place of those of the name `replaced` where one is given.
void write_findings(Database& database, const std::vector<Finding>& findings,
                    std::string_view replaced = {});

}  // namespace quintet
