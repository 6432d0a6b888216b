/// Paints the lanes of one side: grounds, names, boxes with labels, density.
#pragma once

#include "viewer/views/timeline_canvas.h"

namespace quintet::viewer {

/// What of the boxes stands out.
struct BoxEmphasis {
  const SpanSearch* search = nullptr;  ///< others are dimmed
  bool critical = false;               ///< the critical path is outlined, the rest dimmed
  const TaskDrag* drag = nullptr;      ///< what it takes along is dimmed
};

/// Grounds and names of the lanes in view; a name is shortened where it does not fit.
void paint_lane_grounds(const SideCanvas& side, const ScreenBox& names, ImDrawList& draw,
                        const ViewContext& context);
/// Folded spans and boxes.
void paint_lane_items(const SideCanvas& side, const BoxEmphasis& emphasis, ImDrawList& draw,
                      const ViewContext& context);

/// The colour of a lane's density.
Color lane_color(const TimelineIndex& index, std::size_t lane, const Palette& palette);
/// The colour of an item of a lane.
Color item_color(const SideCanvas& side, std::size_t lane, std::uint32_t item,
                 const Palette& palette);

}  // namespace quintet::viewer
