/// A trace that grows, as it was at one moment.
#pragma once

#include <cstdint>
#include <memory>

#include "profiler/trace/span_history.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// Cheap to copy. The trace never changes while somebody holds it; hold the newest one only, so that the older
/// ones can be used again.
struct LiveSnapshot {
  std::shared_ptr<const Trace> trace;  ///< null before the plan is known
  std::uint64_t generation = 0;        ///< grows with each change; 0 = nothing yet
  SpanHistory history;                 ///< what it shares with earlier snapshots of the same run
};

}  // namespace quintet
