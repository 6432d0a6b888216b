#include "viewer/model/timeline/lane_layout.h"

#include <algorithm>

namespace quintet::viewer {

LaneLayout::LaneLayout(const TimelineIndex& index, const LaneMetrics& metrics) : metrics_(metrics) {
  const std::vector<TimelineLane>& lanes = index.lanes();
  double top = 0;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const bool new_part = lane > 0 && (lanes[lane].rank != lanes[lane - 1].rank ||
                                       lanes[lane].section != lanes[lane - 1].section);
    if (new_part) top += metrics.part_gap_px;
    tops_.push_back(top);
    rows_.push_back(std::max<std::size_t>(1, index.rows_of(lane).rows.size()));
    top += static_cast<double>(rows_.back()) * metrics.row_px + metrics.lane_gap_px;
  }
  tops_.push_back(top);
}

LaneSlice LaneLayout::visible(double top_px, double bottom_px) const {
  if (rows_.empty() || bottom_px <= 0 || top_px >= tops_.back()) return {};
  const auto begin = tops_.begin();
  const auto end = tops_.end() - 1;
  const auto after_top = std::upper_bound(begin, end, top_px);
  const auto after_bottom = std::lower_bound(begin, end, bottom_px);
  const std::size_t first =
      after_top == begin ? 0 : static_cast<std::size_t>(after_top - begin) - 1;
  return {first, static_cast<std::size_t>(after_bottom - begin)};
}

std::size_t LaneLayout::lane_at(double y_px) const {
  if (rows_.empty() || y_px < 0 || y_px >= tops_.back()) return size();
  const auto after = std::upper_bound(tops_.begin(), tops_.end() - 1, y_px);
  return static_cast<std::size_t>(after - tops_.begin()) - 1;
}

}  // namespace quintet::viewer
