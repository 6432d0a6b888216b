#include "viewer/model/timeline/drafted_lanes.h"

#include <algorithm>

#include "runtime/model/lane.h"

namespace quintet::viewer {

std::vector<std::optional<std::uint32_t>> drafted_lanes(const Trace& trace,
                                                        const std::vector<Task>& tasks,
                                                        const StreamPolicy& policy) {
  std::vector<std::optional<std::uint32_t>> lanes(trace.tasks.size());
  for (std::size_t task = 0; task < std::min(lanes.size(), tasks.size()); ++task) {
    const std::optional<LaneId>& recorded = trace.tasks[task].policy_lane;
    if (!recorded || recorded->value() >= kStreamCount) continue;
    const auto choice = stream_of(policy, tasks[task]);
    if (!choice) continue;
    const LaneId drafted = lane_of(choice->stream);
    if (drafted != *recorded) lanes[task] = drafted.value();
  }
  return lanes;
}

}  // namespace quintet::viewer
