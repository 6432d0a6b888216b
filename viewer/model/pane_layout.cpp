#include "viewer/model/pane_layout.h"

#include <algorithm>

namespace quintet::viewer {

namespace {

/// What a pane of the wanted size gets where `room` is left for it; 0 = too little to show it.
float granted(bool shown, float wanted, float room, float scale) {
  if (!shown) return 0;
  const float smallest = kSmallestPane * scale;
  if (room < smallest) return 0;
  return std::clamp(wanted * scale, smallest, room);
}

}  // namespace

PaneBoxes cut_panes(const PaneLayout& layout, const PaneBox& area, float scale) {
  const float splitter = kSplitterWidth * scale;
  const float centre = kSmallestCentre * scale;
  PaneBoxes boxes;
  const float bottom =
      granted(layout.bottom_shown, layout.bottom_height, area.height - centre - splitter, scale);
  const float upper = std::max(0.0F, area.height - (bottom > 0 ? bottom + splitter : 0));
  const float right =
      granted(layout.right_shown, layout.right_width, area.width - centre - splitter, scale);
  const float right_all = right > 0 ? right + splitter : 0;
  const float left = granted(layout.left_shown, layout.left_width,
                             area.width - centre - right_all - splitter, scale);
  const float left_all = left > 0 ? left + splitter : 0;
  boxes.left = {area.x, area.y, left, upper};
  boxes.centre = {area.x + left_all, area.y, std::max(0.0F, area.width - left_all - right_all),
                  upper};
  boxes.right = {area.x + area.width - right, area.y, right, upper};
  boxes.bottom = {area.x, area.y + area.height - bottom, area.width, bottom};
  return boxes;
}

}  // namespace quintet::viewer
