/// What devices did, from an Nsight Systems export: kernels, copies, fills, whole graphs, waits.
#pragma once

#include "profiler/import/nsys_reading.h"

namespace quintet {

/// Reads all tables of device work. The calls must have been read: they tell the processes.
void read_nsys_device_tables(NsysReading& reading);

/// "Memcpy HtoD (Pinned -> Device)", from CUPTI's numbers; what is unknown is left out.
std::string nsys_copy_name(std::optional<std::int64_t> copy_kind,
                           std::optional<std::int64_t> source_kind,
                           std::optional<std::int64_t> target_kind);

}  // namespace quintet
