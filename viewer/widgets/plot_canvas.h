/// The ground of a plot: ranges, axes in round numbers, and where values lie in pixels.
#pragma once

#include <functional>
#include <imgui.h>
#include <limits>
#include <string>
#include <vector>

#include "viewer/widgets/fonts.h"
#include "viewer/widgets/palette.h"

namespace quintet::viewer {

/// Round values within [low, high], about `count` of them; one where the range has no length.
std::vector<double> round_ticks(double low, double high, int count);

/// A value of an axis and what is written there.
struct LabelledTick {
  double value = 0;
  std::string text;
};

/// The ticks with their labels; of those in a row whose labels would be equal, the one that its label
/// tells best. "-0" is written "0".
std::vector<LabelledTick> labelled(const std::vector<double>& ticks,
                                   const std::function<std::string(double)>& format);

/// The values of one axis. Those that are not finite do not count.
struct PlotRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double value);
  [[nodiscard]] bool empty() const { return low > high; }
  /// A range without length gets one, so that its value lies in the middle.
  void widen();
  /// `share` of its length more at each end.
  void pad(double share);
};

/// How values are written at the axes.
struct PlotTicks {
  std::function<std::string(double)> format_x;
  std::function<std::string(double)> format_y;
};

/// A rectangle of the screen and the values that it stands for.
struct PlotCanvas {
  ImVec2 least;
  ImVec2 most;
  PlotRange x;
  PlotRange y;

  /// Within an item of this size in pixels: room for the title and the axes is left.
  static PlotCanvas within(ImVec2 origin, float width, float height, float scale);
  [[nodiscard]] bool drawable() const { return least.x < most.x && least.y < most.y; }
  [[nodiscard]] ImVec2 at(double px, double py) const;
  /// Into the current window.
  void draw_axes(const PlotTicks& ticks, const Fonts& fonts, const Palette& palette) const;
};

}  // namespace quintet::viewer
