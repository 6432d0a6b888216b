/// The tables of a recording that are written once, before the first step.
#pragma once

#include "profiler/trace/sqlite.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Writes provenance, lanes, regions, tensors, tasks, graphs, commands and findings. Throws
/// SqliteError.
void write_plan(Database& database, const Trace& trace);
/// The reverse. Throws SqliteError, and DamagedTrace where an index points nowhere or a word is
/// unknown.
void read_plan(Database& database, Trace& trace);

/// Replaces the value of one provenance key.
void write_provenance(Database& database, const std::string& key, const std::string& value);
void write_finding(Database& database, const Finding& finding);

}  // namespace quintet
