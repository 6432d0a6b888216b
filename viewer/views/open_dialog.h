/// Choosing a file: a list of a folder, worked by mouse or keyboard.
#pragma once

#include <cstdint>
#include <string>

#include "viewer/model/pane_layout.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Remembers what is typed and picked. One thread.
class OpenDialog {
 public:
  void draw(const PaneBox& screen, ViewContext& context);
  void reset();

 private:
  void draw_entries(ViewContext& context);
  void take(ViewContext& context, std::size_t entry);
  void open(ViewContext& context, const std::string& path);

  std::string filter_;
  std::size_t picked_ = 0;  ///< among the shown entries
  std::uint64_t listing_ = 0;
};

}  // namespace quintet::viewer
