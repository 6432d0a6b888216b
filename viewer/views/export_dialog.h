/// Choosing what to write, and where.
#pragma once

#include <string>

#include "viewer/model/pane_layout.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Remembers format and path. One thread.
class ExportDialog {
 public:
  void draw(const PaneBox& screen, ViewContext& context);
  void reset() { path_.clear(); }

 private:
  ExportFormat format_ = ExportFormat::html;
  std::string path_;  ///< empty = the default of the format
};

}  // namespace quintet::viewer
