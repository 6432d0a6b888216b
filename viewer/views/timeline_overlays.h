/// Paints what lies over the lanes: waits, steps, dependencies, the selection, what is dragged.
#pragma once

#include "viewer/views/timeline_canvas.h"

namespace quintet::viewer {

/// Borders of steps, and stretches that were not recorded, hatched and named.
void paint_steps(const SideCanvas& side, ImDrawList& draw, const ViewContext& context);
/// Gaps of the steps that were looked at, hatched in the colour of their cause.
void paint_waits(const SideCanvas& side, ImDrawList& draw, const ViewContext& context);
/// Lines along the critical path from piece to piece.
void paint_critical_path(const SideCanvas& side, ImDrawList& draw, const ViewContext& context);
/// The outline of what is selected, and arrows: dependencies solid, stream order dotted.
void paint_selection(const SideCanvas& side, ImDrawList& draw, const ViewContext& context);
/// Of tasks that stand on another stream than on side A: an outline, and a ghost where A has them.
/// `moved`: per task of the side.
void paint_moved(const SideCanvas& side, const std::vector<std::optional<std::uint32_t>>& moved,
                 ImDrawList& draw, const ViewContext& context);
/// Where a policy under edit would put tasks: `drafted` per task of the side, as drafted_lanes()
/// gives it.
void paint_drafted(const SideCanvas& side, const std::vector<std::optional<std::uint32_t>>& drafted,
                   ImDrawList& draw, const ViewContext& context);
/// The lane that a drag would drop on; with `tasks`, what would stand there.
void paint_drag(const SideCanvas& side, const TaskDrag& drag, bool tasks, ImDrawList& draw,
                const ViewContext& context);

/// Diagonal lines over a rectangle.
void paint_hatch(const ScreenBox& box, std::uint32_t color, float spacing, ImDrawList& draw);

}  // namespace quintet::viewer
