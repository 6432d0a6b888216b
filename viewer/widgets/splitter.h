/// Borders between panes that can be dragged.
#pragma once

#include "viewer/model/pane_layout.h"
#include "viewer/widgets/palette.h"

namespace quintet::viewer {

/// Draws the border in `box` of the current window and returns by how many pixels it was dragged in
/// this frame, to the right or down. `upright`: it parts left from right.
float drag_splitter(const char* id, const PaneBox& box, bool upright, const Palette& palette);

}  // namespace quintet::viewer
