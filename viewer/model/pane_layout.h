/// How much room each pane has; sizes are kept in units of the user's, so that they survive a
/// change of the monitor's scale.
#pragma once

#include <cstdint>

namespace quintet::viewer {

/// Where a view lies.
enum class Placement : std::uint8_t { left, centre, right, bottom };

/// Sizes in units of 1/96 inch, as the user dragged them; what is drawn is cut to the window.
struct PaneLayout {
  float left_width = 250;
  float right_width = 310;
  float bottom_height = 250;
  bool left_shown = true;
  bool right_shown = true;
  bool bottom_shown = true;
  friend bool operator==(const PaneLayout&, const PaneLayout&) = default;
};

/// A rectangle in pixels.
struct PaneBox {
  float x = 0;
  float y = 0;
  float width = 0;
  float height = 0;
};

/// The panes of one frame in pixels; a hidden pane, and one without room, has no area.
struct PaneBoxes {
  PaneBox left;
  PaneBox centre;
  PaneBox right;
  PaneBox bottom;
};

inline constexpr float kSplitterWidth = 5;     ///< units
inline constexpr float kSmallestPane = 90;     ///< units, of a pane at the side
inline constexpr float kSmallestCentre = 160;  ///< units; side panes give way to it

/// Cuts `area` into panes with splitters between them. `scale`: pixels a unit.
PaneBoxes cut_panes(const PaneLayout& layout, const PaneBox& area, float scale);

}  // namespace quintet::viewer
