#include "viewer/model/timeline/moved_tasks.h"

#include <map>
#include <string>
#include <utility>

namespace quintet::viewer {

namespace {

const std::string* lane_name(const Trace& trace, const TraceTask& task) {
  if (!task.policy_lane || task.policy_lane->value() >= trace.lanes.size()) return nullptr;
  return &trace.lanes[task.policy_lane->value()].name;
}

}  // namespace

std::vector<std::optional<std::uint32_t>> moved_from(const Trace& before, const Trace& after) {
  std::map<std::pair<std::string, std::string>, const std::string*> was_on;
  for (const TraceTask& task : before.tasks)
    was_on.try_emplace({task.name, task.shape}, lane_name(before, task));
  std::map<std::string, std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < after.lanes.size(); ++lane)
    lanes.try_emplace(after.lanes[lane].name, lane);
  std::vector<std::optional<std::uint32_t>> moved(after.tasks.size());
  for (std::size_t task = 0; task < after.tasks.size(); ++task) {
    const TraceTask& each = after.tasks[task];
    const auto known = was_on.find({each.name, each.shape});
    const std::string* now = lane_name(after, each);
    if (known == was_on.end() || known->second == nullptr || now == nullptr) continue;
    const auto lane = lanes.find(*known->second);
    if (*known->second != *now && lane != lanes.end()) moved[task] = lane->second;
  }
  return moved;
}

}  // namespace quintet::viewer
