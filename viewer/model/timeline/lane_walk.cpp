#include "viewer/model/timeline/lane_walk.h"

#include <algorithm>

namespace quintet::viewer {

namespace {

std::uint64_t distance(const Interval& time, std::int64_t to_ns) {
  if (to_ns < time.begin) return length_ns(to_ns, time.begin);
  return to_ns >= time.end ? length_ns(time.end, to_ns) : 0;
}

}  // namespace

std::optional<std::uint32_t> neighbour_in_lane(const TimelineIndex& index, std::uint32_t span,
                                               WalkDirection direction) {
  const auto place = index.find(ItemTable::spans, span);
  if (!place) return std::nullopt;
  std::optional<std::uint32_t> best;
  for (std::size_t row = 0; row < index.rows_of(place->lane).rows.size(); ++row) {
    RowCursor cursor = index.cursor(place->lane, row);
    // Spans are listed in order of begin, so of two positions the higher one begins later.
    std::size_t low = 0;
    std::size_t high = cursor.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const bool past = direction == WalkDirection::next ? cursor.position(middle) > span
                                                         : cursor.position(middle) >= span;
      (past ? high : low) = past ? middle : middle + 1;
    }
    if (direction == WalkDirection::next && low < cursor.size()) {
      best = std::min(best.value_or(cursor.position(low)), cursor.position(low));
    }
    if (direction == WalkDirection::previous && low > 0) {
      best = std::max(best.value_or(0), cursor.position(low - 1));
    }
  }
  return best;
}

std::optional<std::uint32_t> nearest_span(const TimelineIndex& index, std::size_t lane,
                                          std::int64_t time_ns) {
  std::optional<std::uint32_t> best;
  std::uint64_t best_distance = 0;
  if (table_of(index.lanes()[lane].section) != ItemTable::spans) return best;
  for (std::size_t row = 0; row < index.rows_of(lane).rows.size(); ++row) {
    RowCursor cursor = index.cursor(lane, row);
    const std::size_t after = cursor.before(later_by(time_ns, 1)).count;
    for (std::size_t entry = after == 0 ? 0 : after - 1; entry < std::min(after + 1, cursor.size());
         ++entry) {
      const std::uint64_t away = distance({cursor.begin_ns(entry), cursor.end_ns(entry)}, time_ns);
      if (best && away >= best_distance) continue;
      best = cursor.position(entry);
      best_distance = away;
    }
  }
  return best;
}

std::optional<std::uint32_t> neighbour_lane(const TimelineIndex& index, std::uint32_t span,
                                            WalkDirection direction) {
  const auto place = index.find(ItemTable::spans, span);
  if (!place) return std::nullopt;
  const Interval time = index.time_of(ItemTable::spans, span);
  const std::int64_t middle = later_by(time.begin, length_ns(time.begin, time.end) / 2);
  std::size_t lane = place->lane;
  while (direction == WalkDirection::next ? lane + 1 < index.lanes().size() : lane > 0) {
    lane = direction == WalkDirection::next ? lane + 1 : lane - 1;
    if (const auto found = nearest_span(index, lane, middle)) return found;
  }
  return std::nullopt;
}

}  // namespace quintet::viewer
