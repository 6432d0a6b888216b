/// Every view: a plain list. One line adds a view to its pane and to the tests that draw them all.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "viewer/model/pane_layout.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

struct ViewEntry {
  std::string_view id;
  Placement placement = Placement::bottom;  ///< bottom = a tab; elsewhere views share the height
  float share = 1;  ///< of the pane's height, beside the shares of the other views there
  std::unique_ptr<View> (*make)() = nullptr;
};

/// In the order of tabs, and from top to bottom within a pane.
std::span<const ViewEntry> view_catalog();

}  // namespace quintet::viewer
