/// The whole of a recording in one strip: how many lanes work, over time.
#pragma once

#include <cstddef>
#include <vector>

#include "viewer/model/timeline/timeline_index.h"

namespace quintet::viewer {

/// Owns: numbers. Threads: readable from many.
struct Minimap {
  Interval extent;
  /// Per column of the extent's time: mean number of work rows that are busy at once.
  std::vector<double> busy;
  double most = 0;  ///< the highest of them
};

/// Exact; costs columns * rows searches. Lanes of hosts and of whole graphs do not count.
Minimap minimap_of(const TimelineIndex& index, std::size_t columns);

/// The first ns of a column.
std::int64_t column_begin(const Interval& extent, std::size_t column, std::size_t columns);

}  // namespace quintet::viewer
