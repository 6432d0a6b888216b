/// The one window over the panes: palette, help, open and export.
#pragma once

#include "viewer/model/pane_layout.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Opens a window in the middle of `screen` while it lives. A click beside it closes the overlay.
/// Usage: OverlayWindow window("Keys", screen, 700, 500, context); if (window) { ... }
class OverlayWindow {
 public:
  /// Width and height in units; cut to the screen.
  OverlayWindow(const char* title, const PaneBox& screen, float width, float height,
                ViewContext& context);
  OverlayWindow(const OverlayWindow&) = delete;
  OverlayWindow& operator=(const OverlayWindow&) = delete;
  ~OverlayWindow();

  explicit operator bool() const { return open_; }

 private:
  bool open_ = false;
};

}  // namespace quintet::viewer
