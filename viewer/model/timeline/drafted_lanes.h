/// Where a policy under edit would put the tasks of a recording.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/trace/trace.h"
#include "runtime/model/task.h"
#include "runtime/policy/stream_policy.h"

namespace quintet::viewer {

/// Per task of the trace: the lane that `policy` puts it on, where that is another than it was
/// recorded on. `tasks` are those of the run that the recording was rebuilt as, in the same order.
/// Nothing where a task stays, takes no stream, or no rule covers it.
std::vector<std::optional<std::uint32_t>> drafted_lanes(const Trace& trace,
                                                        const std::vector<Task>& tasks,
                                                        const StreamPolicy& policy);

}  // namespace quintet::viewer
