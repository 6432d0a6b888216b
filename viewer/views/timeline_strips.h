/// The two strips over the lanes: the minimap of the whole recording, and the ruler with steps,
/// bookmarks and what is measured.
#pragma once

#include "viewer/views/timeline_canvas.h"

namespace quintet::viewer {

/// Busy lanes over all of the recording's time, and where the view is in it.
void paint_minimap(const TimelineCanvas& canvas, const Interval& extent, ImDrawList& draw,
                   const ViewContext& context);
/// Ticks, numbers of steps, flags of bookmarks.
void paint_ruler(const TimelineCanvas& canvas, std::int64_t origin_ns, ImDrawList& draw,
                 const ViewContext& context);
/// The measured range over ruler and lanes, with its length and what was counted in it.
void paint_measure(const TimelineCanvas& canvas, const Interval& range,
                   const RangeStatistics* statistics, ImDrawList& draw, const ViewContext& context);

/// The time at an x of the minimap.
std::int64_t minimap_time(const ScreenBox& minimap, const Interval& extent, float x);

}  // namespace quintet::viewer
