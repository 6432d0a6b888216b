/// A view: something of the workbench painted into a pane. It paints what viewer/model prepared and
/// emits commands; it never analyses, reads files or changes a trace.
#pragma once

#include <cstdint>
#include <string_view>

#include "viewer/model/part.h"
#include "viewer/widgets/fonts.h"
#include "viewer/widgets/palette.h"

namespace quintet::viewer {

/// Facts of the frame being drawn.
struct FrameFacts {
  double seconds = 0;        ///< since the start
  std::uint64_t number = 0;  ///< counts from 1
  float scale = 1;           ///< pixels a unit of 1/96 inch
};

/// All that a view may use. Short-lived: never kept beyond the call.
struct ViewContext {
  const Workbench& workbench;
  const Parts& parts;
  const std::vector<JobStatus>& jobs;  ///< what runs in the background
  CommandQueue& commands;
  const Palette& palette;
  const Fonts& fonts;
  FrameFacts frame;

  /// Pixels of a length in units of 1/96 inch.
  [[nodiscard]] float px(float units) const { return units * frame.scale; }
};

/// Lives as long as the application; what it remembers between frames is how it is scrolled, sorted
/// and unfolded. One thread.
class View {
 public:
  View() = default;
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  virtual ~View() = default;

  /// As in the catalog; "tasks".
  [[nodiscard]] virtual std::string_view id() const = 0;
  /// "Tasks": of the tab or the pane.
  [[nodiscard]] virtual std::string_view title() const = 0;
  /// Paints into the current ImGui window, which is the pane's child: its content region is all
  /// there is.
  virtual void draw(ViewContext& context) = 0;
};

}  // namespace quintet::viewer
