/// Paints a laid-out graph: boxes in the colours of their lanes, edges by what put them there.
#pragma once

#include <array>
#include <imgui.h>
#include <optional>
#include <string>

#include "viewer/model/dag/dag_keeper.h"
#include "viewer/widgets/fonts.h"
#include "viewer/widgets/palette.h"

namespace quintet::viewer {

/// From the layout's units to the screen.
struct GraphCamera {
  ImVec2 corner;  ///< of the canvas, on the screen
  ImVec2 size;    ///< of the canvas, in pixels
  float zoom = 1;
  DagPoint origin;

  [[nodiscard]] ImVec2 to_screen(DagPoint at) const {
    return {corner.x + origin.x + at.x * zoom, corner.y + origin.y + at.y * zoom};
  }
  [[nodiscard]] DagPoint to_layout(ImVec2 at) const {
    return {(at.x - corner.x - origin.x) / zoom, (at.y - corner.y - origin.y) / zoom};
  }
  /// False where nothing of the rectangle can be seen.
  [[nodiscard]] bool sees(DagPoint low, DagPoint high) const;
};

struct GraphStyle {
  const Trace& trace;
  const Palette& palette;
  const Fonts& fonts;
  std::array<bool, kDagEdgeKindCount> kinds;  ///< that are drawn
  std::optional<std::uint32_t> selected;      ///< task
  std::string search;
};

Color color_of(DagEdgeKind kind, const Palette& palette);

/// Draws what the camera sees.
void paint_graph(ImDrawList& list, const DagScene& scene, const GraphCamera& camera,
                 const GraphStyle& style);

}  // namespace quintet::viewer
