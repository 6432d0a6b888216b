/// The line at the bottom: device, date, times, what was lost, the proof; and what runs behind.
#pragma once

#include "viewer/model/pane_layout.h"
#include "viewer/model/status_facts.h"
#include "viewer/views/view.h"

namespace quintet::viewer {

/// Remembers the facts of the document that it showed last. One thread.
class StatusLine {
 public:
  void draw(const PaneBox& box, ViewContext& context);
  /// Units.
  static constexpr float kHeight = 24;

 private:
  std::vector<StatusFact> facts_;
  std::uint64_t generation_ = 0;
  std::uint64_t report_ = 0;
};

/// The newest warning or error over the panes, until it is dismissed; returns the height it took in
/// pixels.
float draw_alert(const PaneBox& box, ViewContext& context);

}  // namespace quintet::viewer
