/// Where the lanes of a timeline stand above each other. Any number of lanes: finding the visible
/// ones costs a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "viewer/model/timeline/timeline_index.h"

namespace quintet::viewer {

/// Heights in pixels.
struct LaneMetrics {
  double row_px = 18;      ///< of a sub-row
  double lane_gap_px = 4;  ///< below each lane
  double part_gap_px = 8;  ///< more of it before another rank or section
};

/// Lanes [first, last).
struct LaneSlice {
  std::size_t first = 0;
  std::size_t last = 0;
};

/// Owns: the heights' sums. Threads: readable from many. Throws: bad_alloc.
/// Usage: `LaneLayout layout(index, metrics); layout.visible(top, bottom)`.
class LaneLayout {
 public:
  LaneLayout() = default;
  LaneLayout(const TimelineIndex& index, const LaneMetrics& metrics);

  [[nodiscard]] double height_px() const { return tops_.empty() ? 0 : tops_.back(); }
  [[nodiscard]] double row_px() const { return metrics_.row_px; }
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// Of the lane's first sub-row, from the top of all lanes.
  [[nodiscard]] double top_px(std::size_t lane) const { return tops_[lane]; }
  /// Sub-rows of a lane, at least 1.
  [[nodiscard]] std::size_t rows(std::size_t lane) const { return rows_[lane]; }
  [[nodiscard]] double lane_px(std::size_t lane) const {
    return static_cast<double>(rows_[lane]) * metrics_.row_px;
  }
  /// The lanes that touch `[top, bottom)`.
  [[nodiscard]] LaneSlice visible(double top_px, double bottom_px) const;
  /// The lane at or above a height; size() where that is above all of them or there are none.
  [[nodiscard]] std::size_t lane_at(double y_px) const;

 private:
  LaneMetrics metrics_;
  std::vector<double> tops_;  ///< per lane; at last, the height of all
  std::vector<std::size_t> rows_;
};

}  // namespace quintet::viewer
