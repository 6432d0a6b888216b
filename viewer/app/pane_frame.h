/// The panes with their views, and the tabs below.
#pragma once

#include <memory>
#include <vector>

#include "viewer/views/view_catalog.h"

namespace quintet::viewer {

/// Owns one view of each line of the catalog. One thread.
class PaneFrame {
 public:
  PaneFrame();

  /// Draws all panes into the rectangle of the current window.
  void draw(const PaneBox& area, ViewContext& context);
  /// The ids of the tabs in their order.
  [[nodiscard]] std::vector<std::string_view> tabs() const;
  /// Of the frame that was drawn last, in pixels of the screen.
  [[nodiscard]] const PaneBoxes& boxes() const { return boxes_; }

 private:
  struct Placed {
    const ViewEntry* entry = nullptr;
    std::unique_ptr<View> view;
  };

  void draw_stack(Placement placement, const PaneBox& box, ViewContext& context);
  void draw_tabs(const PaneBox& box, ViewContext& context);
  void draw_splitters(const PaneBoxes& boxes, const PaneBox& area, ViewContext& context);

  std::vector<Placed> views_;
  PaneBoxes boxes_;
};

}  // namespace quintet::viewer
