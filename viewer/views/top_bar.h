/// The bar at the top: what runs, which step, which side, search, theme, help.
#pragma once

#include <string>

#include "viewer/model/pane_layout.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Remembers what is typed into its fields. One thread.
class TopBar {
 public:
  /// Draws into `box` of the current window.
  void draw(const PaneBox& box, ViewContext& context);
  /// Units.
  static constexpr float kHeight = 38;

 private:
  void draw_search(ViewContext& context);

  std::string search_;
  std::string scenario_filter_;
};

}  // namespace quintet::viewer
