/// The host's calls that put work on a device, whoever recorded them.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/trace/trace.h"

namespace quintet {

struct LaunchCall {
  static constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

  Interval time;
  std::int32_t step = -1;           ///< as recorded; -1 = none
  std::uint32_t correlation = 0;    ///< of what it launched; 0 = unknown
  std::uint32_t graph = kUnknown;   ///< index into Trace::graphs
  std::uint32_t stream = kUnknown;  ///< lane that it launched on
  std::uint32_t host = kUnknown;    ///< lane of the thread that called
  friend bool operator==(const LaunchCall&, const LaunchCall&) = default;
};

/// By begin. The launches of the recording, and calls of host lanes under whose correlation work of
/// a device was recorded: what a call launched makes it a launch, not its name.
std::vector<LaunchCall> launch_calls(const Trace& trace);

}  // namespace quintet
