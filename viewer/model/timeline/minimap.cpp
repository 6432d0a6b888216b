#include "viewer/model/timeline/minimap.h"

#include <algorithm>

namespace quintet::viewer {

std::int64_t column_begin(const Interval& extent, std::size_t column, std::size_t columns) {
  if (column >= columns) return extent.end;
  const std::uint64_t length = length_ns(extent.begin, extent.end);
  // Quotient and rest apart: their products fit.
  const std::uint64_t whole = length / columns * column;
  const std::uint64_t rest = length % columns * column / columns;
  return later_by(extent.begin, whole + rest);
}

Minimap minimap_of(const TimelineIndex& index, std::size_t columns) {
  Minimap map;
  map.extent = index.extent();
  if (map.extent.empty() || columns == 0) return map;
  map.busy.resize(columns);
  for (std::size_t lane = 0; lane < index.lanes().size(); ++lane) {
    if (index.lanes()[lane].section != LaneSection::work) continue;
    for (std::size_t row = 0; row < index.rows_of(lane).rows.size(); ++row) {
      RowCursor cursor = index.cursor(lane, row);
      std::int64_t begin = map.extent.begin;
      std::uint64_t before = cursor.before(begin).busy_ns;
      for (std::size_t column = 0; column < columns; ++column) {
        const std::int64_t end = column_begin(map.extent, column + 1, columns);
        const std::uint64_t until = cursor.before(end).busy_ns;
        if (end > begin) {
          map.busy[column] +=
              static_cast<double>(until - before) / static_cast<double>(length_ns(begin, end));
        }
        begin = end;
        before = until;
      }
    }
  }
  map.most = *std::max_element(map.busy.begin(), map.busy.end());
  return map;
}

}  // namespace quintet::viewer
