/// Where a timeline's pieces lie on the screen: what its painters share.
#pragma once

#include <cstdint>
#include <imgui.h>
#include <vector>

#include "viewer/model/timeline/lane_layout.h"
#include "viewer/model/timeline/timeline_frame.h"
#include "viewer/model/timeline_part.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// A rectangle of the screen in pixels.
struct ScreenBox {
  float x0 = 0;
  float y0 = 0;
  float x1 = 0;
  float y1 = 0;

  [[nodiscard]] float width() const { return x1 - x0; }
  [[nodiscard]] float height() const { return y1 - y0; }
  [[nodiscard]] bool contains(const ImVec2& point) const {
    return x0 <= point.x && point.x < x1 && y0 <= point.y && point.y < y1;
  }
};

/// The lanes of one side, cut to what is in view. Its pointers live for the frame.
struct SideCanvas {
  Side side = Side::a;
  const TimelineSide* held = nullptr;
  const TimelineIndex* index = nullptr;
  const LaneLayout* layout = nullptr;
  const TimelineFrame* frame = nullptr;
  ScreenBox lanes;       ///< right of the names; empty where the side is scrolled out of view
  FrameRequest request;  ///< its view is in the side's own times
  float header_y = 0;    ///< top of its title
  std::int64_t shift_ns = 0;

  [[nodiscard]] float x_of(std::int64_t own_ns) const {
    const double x = request.view.px_of(own_ns);
    return lanes.x0 + static_cast<float>(x < -4                  ? -4
                                         : x > lanes.width() + 4 ? lanes.width() + 4
                                                                 : x);
  }
  /// The top of a sub-row.
  [[nodiscard]] float y_of(std::size_t lane, std::size_t row = 0) const {
    return lanes.y0 +
           static_cast<float>(layout->top_px(lane) + static_cast<double>(row) * layout->row_px() -
                              request.top_px);
  }
  [[nodiscard]] const Trace& trace() const { return index->trace(); }
  /// The work lane of a policy stream, or nothing: lanes of that grouping only.
  [[nodiscard]] std::optional<std::size_t> lane_of_stream(std::uint32_t trace_lane) const {
    if (index->grouping() != SpanGrouping::policy_stream) return std::nullopt;
    for (std::size_t lane = 0; lane < index->lanes().size(); ++lane) {
      const TimelineLane& each = index->lanes()[lane];
      if (each.section == LaneSection::work && each.trace_lane == trace_lane) return lane;
    }
    return std::nullopt;
  }
};

/// The whole view.
struct TimelineCanvas {
  ScreenBox minimap;
  ScreenBox ruler;
  ScreenBox names;  ///< left of the lanes
  ScreenBox lanes;
  TimeView view;  ///< on the clock of the workbench
  std::vector<SideCanvas> sides;
  float row_px = 18;
};

/// A task that is dragged to another stream.
struct TaskDrag {
  Side side = Side::a;
  std::uint32_t task = 0;
  std::uint32_t from_lane = 0;           ///< into the index's lanes
  std::optional<std::uint32_t> to_lane;  ///< nothing: dropping there does nothing
  MoveScope scope = MoveScope::kind;

  /// True where the move would take a task along.
  [[nodiscard]] bool takes(const Trace& trace, std::uint32_t other) const;
};

}  // namespace quintet::viewer
