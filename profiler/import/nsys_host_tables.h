/// What host threads did, from an Nsight Systems export: calls of the CUDA API, NVTX ranges.
#pragma once

#include "profiler/import/nsys_reading.h"

namespace quintet {

/// Calls of the CUDA runtime and driver. Their names keep their suffixes: "cudaGraphLaunch_v10000".
void read_nsys_calls(NsysReading& reading);

/// NVTX ranges; those that name a training step become steps. Ranges that never end last to the end
/// of what was read before ("open_ranges"): so this comes last.
void read_nsys_ranges(NsysReading& reading);

/// Names of threads.
void read_nsys_thread_names(NsysReading& reading);

}  // namespace quintet
