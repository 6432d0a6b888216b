/// What an Nsight Systems export says about itself: its version, machine, clock and troubles.
#pragma once

#include <string>

#include "profiler/import/nsys_reading.h"
#include "runtime/model/result.h"

namespace quintet {

/// Refuses databases of other programs and of a schema that may mean something else (another major
/// version). A minor version that this program does not know is a finding ("newer_schema").
Result<void> check_nsys_schema(NsysReading& reading, const std::string& path);

/// What the profiler itself complained about: findings "profiler_errors" and "profiler_warnings",
/// and "dropped_records" for messages of any severity that report lost records.
void read_nsys_diagnostics(NsysReading& reading);
/// Sets the clock of the source: times count from the start of the session.
void read_nsys_session(NsysReading& reading);
/// The names of the programs, which the lanes of their threads show.
void read_nsys_processes(NsysReading& reading);
void read_nsys_gpus(NsysReading& reading);
/// Once the device tables are read: provenance of the GPUs that did work.
void describe_nsys_gpus(NsysReading& reading);

/// Counts the events of tables that nothing is drawn of.
void count_nsys_other_tables(NsysReading& reading);

}  // namespace quintet
