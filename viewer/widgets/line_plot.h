/// Curves over steps or runs, with axes in round numbers and a readout under the pointer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "viewer/widgets/fonts.h"
#include "viewer/widgets/palette.h"

namespace quintet::viewer {

struct PlotPoint {
  double x = 0;
  double y = 0;
  std::string note;  ///< read out under the pointer beside x and y; may be empty
};

struct PlotSeries {
  std::string name;
  Color color;
  std::vector<PlotPoint> points;  ///< by x
  bool dots = false;              ///< few points: each is marked
};

struct PlotFrame {
  std::string title;
  std::string x_name;
  std::function<std::string(double)> format_x;
  std::function<std::string(double)> format_y;
  bool from_zero = false;  ///< the y axis begins at 0
};

/// Points of a curve, no more than two a pixel of `width`: the lowest and the highest of each.
/// Values that are not finite are left out.
std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points, float width);

/// Draws into a rectangle of the current window of this size in pixels and takes its room.
void draw_plot(const char* id, const PlotFrame& frame, const std::vector<PlotSeries>& series,
               float width, float height, const Fonts& fonts, const Palette& palette, float scale);

}  // namespace quintet::viewer
