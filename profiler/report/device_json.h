/// What the devices did, as JSON: the objects "device", "kernels" and "streams" of a report.
#pragma once

#include "profiler/analysis/device_summary.h"
#include "profiler/report/json_parts.h"

namespace quintet {

/// {state, reason, incomplete, kernels, memcpys, memsets, untimed, first_begin_ns, span_ns, busy_ns,
/// sum_ns, most_at_once, graph_launches, open_graph_launches, graph_busy_ns, devices}: numbers are null where the recording
/// cannot tell them.
OrderedJson device_json(const DeviceWork& work, RecordingState state);
/// {name, count, time_ns, mean_ns, share, shapes, launch}; launch is null where it was not told,
/// else {grid, block, registers, static_shared_bytes, dynamic_shared_bytes, occupancy}.
OrderedJson kernels_json(const std::vector<ReportKernel>& kernels);
/// {lane, kernels, memcpys, memsets, busy_ns}.
OrderedJson streams_json(const Report& report);

}  // namespace quintet
