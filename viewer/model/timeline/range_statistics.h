/// What happened in a range of time, in numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "viewer/model/timeline/timeline_index.h"

namespace quintet::viewer {

struct LaneStatistics {
  std::uint32_t lane = 0;     ///< into TimelineIndex::lanes()
  std::uint64_t spans = 0;    ///< that touch the range
  std::uint64_t busy_ns = 0;  ///< union
  std::uint64_t sum_ns = 0;   ///< of durations within the range
};

struct TaskStatistics {
  std::uint32_t task = 0;
  std::uint64_t spans = 0;
  std::uint64_t sum_ns = 0;  ///< of durations within the range
};

/// Spans of work only; everything is clipped to the range.
struct RangeStatistics {
  Interval range;
  std::uint64_t spans = 0;
  std::uint64_t busy_ns = 0;          ///< union over all lanes
  std::uint64_t sum_ns = 0;           ///< of durations
  std::vector<LaneStatistics> lanes;  ///< those with spans, in the lanes' order
  std::vector<TaskStatistics> tasks;  ///< the longest sum first
  std::size_t tasks_left_out = 0;     ///< beyond kTopTasks

  [[nodiscard]] double mean_ns() const {
    return spans == 0 ? 0 : static_cast<double>(sum_ns) / static_cast<double>(spans);
  }
};

inline constexpr std::size_t kTopTasks = 50;

/// O(spans that begin before the range ends): not for the thread that draws. `stop` is asked every
/// so often; true ends it with what was counted so far.
RangeStatistics range_statistics(const TimelineIndex& index, const Interval& range,
                                 const std::function<bool()>& stop = {});

/// Activities per lane of the index that happened at times the device could not tell.
std::vector<std::uint64_t> untimed_per_lane(const TimelineIndex& index);

}  // namespace quintet::viewer
