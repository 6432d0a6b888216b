/// Interns what imported spans have in common: tasks by (kind, name), activities by value.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "profiler/import/index_table.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// What a named range of a host is.
enum class RangeSort : std::uint8_t {
  nested,    ///< pushed and popped on one thread, so that it nests with others there
  started,   ///< started and ended by an id, on any threads: it may overlap others anyhow
  overhead,  ///< what a profiler or driver did for itself
};

/// What ran, as a source tells it. `name` need not outlive the call it is passed to.
struct ActivityFacts {
  ActivityKind kind = ActivityKind::kernel;
  std::string_view name;
  std::optional<LaunchShape> launch;           ///< kernels
  std::optional<std::uint64_t> bytes;          ///< copies and fills
  std::optional<std::uint64_t> graph_node;     ///< in the executable graph
  std::optional<std::uint64_t> captured_node;  ///< the node it was instantiated from
  RangeSort range = RangeSort::nested;         ///< of kind host_range
};

/// The kind of op an imported task counts as: "KERNEL", "MEMCPY_HTOD", "MEMCPY" (its name tells no
/// direction), "MEMSET", "GRAPH", "HOST_RANGE", "HOST_STARTED_RANGE", "HOST_OVERHEAD", "API_CALL".
std::string_view imported_op_kind(ActivityKind kind, std::string_view name,
                                  RangeSort range = RangeSort::nested);

/// True for what runs on a device.
constexpr bool runs_on_device(ActivityKind kind) {
  switch (kind) {
    case ActivityKind::kernel:
    case ActivityKind::memcpy:
    case ActivityKind::memset:
    case ActivityKind::graph:
      return true;
    case ActivityKind::host_range:
    case ActivityKind::api_call:
      return false;
  }
  return false;
}

/// Owns the tasks and activities of a trace under construction.
class ActivityTable {
 public:
  struct Ids {
    std::uint32_t task = 0;
    std::uint32_t activity = 0;
  };

  /// The ids of these facts, new ones where they are new.
  Ids intern(const ActivityFacts& facts);

  [[nodiscard]] const std::vector<TraceTask>& tasks() const { return tasks_; }
  [[nodiscard]] const std::vector<TraceActivity>& activities() const { return activities_; }
  [[nodiscard]] ActivityKind kind_of(std::uint32_t activity) const {
    return activities_[activity].kind;
  }
  /// Hands the tables out; nothing can be interned afterwards.
  std::vector<TraceTask> take_tasks() { return std::move(tasks_); }
  std::vector<TraceActivity> take_activities() { return std::move(activities_); }

 private:
  std::uint32_t intern_task(const ActivityFacts& facts);
  std::uint32_t intern_activity(std::uint32_t task, const ActivityFacts& facts);

  std::vector<TraceTask> tasks_;
  std::vector<ActivityKind> task_kinds_;
  std::vector<RangeSort> task_ranges_;
  std::vector<std::uint32_t> plain_activity_;  ///< per task: the one with nothing but its name
  std::vector<TraceActivity> activities_;
  std::vector<std::uint32_t> activity_tasks_;
  IndexTable task_index_;
  IndexTable activity_index_;
};

}  // namespace quintet
