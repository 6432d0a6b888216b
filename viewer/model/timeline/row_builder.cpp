#include "viewer/model/timeline/row_builder.h"

#include <limits>
#include <utility>

namespace quintet::viewer {

RowBuilder::RowBuilder(const std::vector<TimelineLane>& lanes, const IndexOptions& options)
    : rows_(lanes.size()),
      choosers_(lanes.size()),
      most_rows_(lanes.size(), kMostSubRows),
      overflowed_(lanes.size()),
      again_(lanes.size()) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::string key = lane_key(lanes[lane]);
    rows_[lane].collapsed = options.collapsed.contains(key);
    if (options.expanded.contains(key)) most_rows_[lane] = std::numeric_limits<std::size_t>::max();
  }
}

bool RowBuilder::go_on(std::size_t lane, const LaneRows& older, std::uint32_t until,
                       const SpanTimes& times) {
  if (older.too_deep_at && *older.too_deep_at >= until) return false;
  LaneRows& rows = rows_[lane];
  rows.collapsed = older.collapsed;
  rows.too_deep_at = older.too_deep_at;
  std::vector<std::int64_t> free_from;
  for (const RowIndex& row : older.rows) {
    RowIndex next(row, until, times);
    if (next.size() == 0) break;
    free_from.push_back(next.free_from_ns());
    rows.rows.push_back(std::move(next));
  }
  choosers_[lane] = SubRowChooser(free_from);
  return true;
}

void RowBuilder::append(std::size_t lane, std::uint32_t position, std::int64_t begin_ns,
                        std::int64_t end_ns) {
  if (overflowed_[lane]) return;
  LaneRows& rows = rows_[lane];
  const std::size_t row = rows.collapsed ? 0 : choosers_[lane].place(begin_ns, end_ns);
  if (row >= most_rows_[lane]) {
    overflowed_[lane] = true;
    rows.too_deep_at = position;
    rows.rows.clear();
    return;
  }
  if (row == rows.rows.size()) rows.rows.emplace_back();
  rows.rows[row].append(position, begin_ns, end_ns);
}

bool RowBuilder::collapse_overflowed() {
  bool any = false;
  for (std::size_t lane = 0; lane < rows_.size(); ++lane) {
    again_[lane] = overflowed_[lane];
    if (!overflowed_[lane]) continue;
    overflowed_[lane] = false;
    rows_[lane].collapsed = true;
    any = true;
  }
  return any;
}

std::vector<LaneRows> RowBuilder::take() {
  for (LaneRows& lane : rows_) {
    for (RowIndex& row : lane.rows)
      row.finish();
  }
  return std::move(rows_);
}

}  // namespace quintet::viewer
