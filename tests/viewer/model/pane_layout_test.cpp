#include "viewer/model/pane_layout.h"

#include <gtest/gtest.h>

namespace quintet::viewer {
namespace {

TEST(PaneLayout, GivesEachPaneItsSizeAndTheCentreTheRest) {
  PaneLayout layout;
  layout.left_width = 200;
  layout.right_width = 300;
  layout.bottom_height = 250;
  const PaneBoxes boxes = cut_panes(layout, {0, 40, 1600, 900}, 1);
  EXPECT_FLOAT_EQ(boxes.left.width, 200);
  EXPECT_FLOAT_EQ(boxes.right.width, 300);
  EXPECT_FLOAT_EQ(boxes.bottom.height, 250);
  EXPECT_FLOAT_EQ(boxes.bottom.width, 1600);
  EXPECT_FLOAT_EQ(boxes.centre.width, 1600 - 200 - 300 - 2 * kSplitterWidth);
  EXPECT_FLOAT_EQ(boxes.centre.height, 900 - 250 - kSplitterWidth);
  EXPECT_FLOAT_EQ(boxes.centre.y, 40);
  EXPECT_FLOAT_EQ(boxes.bottom.y + boxes.bottom.height, 940);
}

TEST(PaneLayout, ScalesWithTheMonitor) {
  PaneLayout layout;
  const PaneBoxes one = cut_panes(layout, {0, 0, 1600, 900}, 1);
  const PaneBoxes two = cut_panes(layout, {0, 0, 3200, 1800}, 2);
  EXPECT_FLOAT_EQ(two.left.width, 2 * one.left.width);
  EXPECT_FLOAT_EQ(two.centre.height, 2 * one.centre.height);
}

TEST(PaneLayout, HiddenPanesLeaveTheirRoomToTheCentre) {
  PaneLayout layout;
  layout.left_shown = false;
  layout.right_shown = false;
  layout.bottom_shown = false;
  const PaneBoxes boxes = cut_panes(layout, {0, 0, 1600, 900}, 1);
  EXPECT_FLOAT_EQ(boxes.centre.width, 1600);
  EXPECT_FLOAT_EQ(boxes.centre.height, 900);
  EXPECT_FLOAT_EQ(boxes.left.width, 0);
}

TEST(PaneLayout, NothingIsNegativeOrLiesOutside) {
  for (float width = 0; width < 900; width += 37) {
    for (float height = 0; height < 900; height += 41) {
      const PaneBoxes boxes = cut_panes(PaneLayout{}, {0, 0, width, height}, 1);
      for (const PaneBox& box : {boxes.left, boxes.centre, boxes.right, boxes.bottom}) {
        EXPECT_GE(box.width, 0);
        EXPECT_GE(box.height, 0);
        if (box.width == 0 || box.height == 0) continue;
        EXPECT_LE(box.x + box.width, width + 0.01F);
        EXPECT_LE(box.y + box.height, height + 0.01F);
      }
    }
  }
}

}  // namespace
}  // namespace quintet::viewer
