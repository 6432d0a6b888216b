/// One activity of a GPU as the driver reports it, freed from the layout of any driver's records.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "profiler/trace/trace.h"

namespace quintet {

/// Times are Unix time in ns; both 0 = the device took none. Ids of streams and contexts count
/// within the process.
struct DeviceRecord {
  ActivityKind kind = ActivityKind::kernel;  ///< kernel, memcpy, memset or graph
  std::string_view name;  ///< kernels: demangled; valid while the record is looked at
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t device = 0;
  std::uint32_t context = 0;
  std::uint32_t stream = 0;       ///< where it ran
  std::uint32_t correlation = 0;  ///< of the call that launched it
  std::uint64_t graph_node = 0;   ///< in the executable graph; 0 = none
  std::uint32_t graph = 0;        ///< the executable graph; 0 = none
  std::optional<std::uint32_t> channel;
  std::optional<LaunchShape> launch;  ///< kernels; occupancy is not told
  std::optional<std::uint64_t> bytes;
};

/// What the driver or CUPTI did for itself meanwhile: asked for a buffer, loaded a module.
struct OverheadRecord {
  std::string_view name;  ///< of its kind, for ever: "buffer request"
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

}  // namespace quintet
