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

void RowBuilder::append(std::size_t lane, std::uint32_t position, std::int64_t begin_ns,
                        std::int64_t end_ns) {
  if (overflowed_[lane]) return;
  LaneRows& rows = rows_[lane];
  const std::size_t row = rows.collapsed ? 0 : choosers_[lane].place(begin_ns, end_ns);
  if (row >= most_rows_[lane]) {
    overflowed_[lane] = true;
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
