/// Every command by name: type some letters, arrows choose, Enter runs.
#pragma once

#include <string>
#include <vector>

#include "viewer/model/pane_layout.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Lines of the catalog that match, the best first; those that are disabled come last.
std::vector<const CommandEntry*> matching_commands(std::string_view pattern,
                                                   const Workbench& workbench);

/// Remembers what is typed. One thread.
class CommandPalette {
 public:
  void draw(const PaneBox& screen, ViewContext& context);
  /// Begins anew when it is shown next.
  void reset();

 private:
  std::string pattern_;
  std::size_t chosen_ = 0;
};

}  // namespace quintet::viewer
