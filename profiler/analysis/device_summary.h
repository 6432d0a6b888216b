/// What the devices of a recording did, counted over the whole recording: kernels, copies, fills,
/// and how long any of them ran. Times are integer ns, busy time is a union.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace.h"

namespace quintet {

struct DeviceCounts {
  std::int64_t kernels = 0;
  std::int64_t memcpys = 0;
  std::int64_t memsets = 0;

  [[nodiscard]] std::int64_t total() const { return kernels + memcpys + memsets; }
  friend bool operator==(const DeviceCounts&, const DeviceCounts&) = default;
};

struct DeviceSummary {
  int rank = 0;
  int device = 0;
  DeviceCounts timed;
  DeviceCounts untimed;             ///< happened, at times the device could not tell
  std::int64_t first_begin_ns = 0;  ///< of the timed ones; 0 without any
  std::int64_t last_end_ns = 0;
  std::int64_t busy_ns = 0;  ///< union
  std::int64_t sum_ns = 0;   ///< of durations
  std::size_t most_at_once = 0;
  std::int64_t graph_launches = 0;       ///< recorded as a whole, without their nodes
  std::int64_t open_graph_launches = 0;  ///< of these: nobody knows when they ended
  /// Union of those and of the rest: busy time is at most this. Means nothing with open ones.
  std::int64_t graph_busy_ns = 0;

  /// From the first begin to the last end.
  [[nodiscard]] std::int64_t span_ns() const { return last_end_ns - first_begin_ns; }
};

/// How much of the devices' work a recording holds.
enum class DeviceWorkRecord : std::uint8_t {
  absent,        ///< no device was at work: another kind of executor
  nodes,         ///< every kernel, copy and fill that was told
  mixed,         ///< of some launches nothing, or only the whole of a graph: times are lower bounds
  graphs_only,   ///< whole launches of graphs, nothing inside them
  missing,       ///< launches, and nothing that they launched
  unrelated,     ///< of clocks that nobody can compare: every number across them is unknown
  unrecognised,  ///< what the importer did not take for devices may be: times are lower bounds
};

/// The finding of an importer that left out rows which look like those of a device.
inline constexpr std::string_view kUnrecognisedRows = "unrecognised_device_rows";

/// True for an import whose times lie hours apart or are of clocks that were not compared.
bool has_unrelated_times(const Trace& trace);

/// Why times of `record` are absent or unknown, as a clause; empty for `nodes`.
std::string reason_of(DeviceWorkRecord record);

struct DeviceWork {
  DeviceWorkRecord record = DeviceWorkRecord::absent;
  DeviceSummary all;                   ///< of all devices together
  std::vector<DeviceSummary> devices;  ///< by rank, device
};

/// A span belongs to the device of the lane it ran on.
DeviceWork summarise_devices(const Trace& trace);

}  // namespace quintet
