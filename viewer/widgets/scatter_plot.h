/// Points that can be picked, told apart by shape as well as colour, with a line through some of them
/// and limits drawn as lines.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "viewer/widgets/fonts.h"
#include "viewer/widgets/palette.h"

namespace quintet::viewer {

enum class MarkShape : std::uint8_t { circle, square, diamond, triangle, cross };

struct ScatterPoint {
  double x = 0;
  double y = 0;
  std::string note;  ///< shown under the pointer
};

/// Points of one shape and colour.
struct ScatterSeries {
  std::string name;  ///< for the legend
  MarkShape shape = MarkShape::circle;
  Color color;
  std::vector<ScatterPoint> points;
};

/// A value that something may not pass, drawn across the plot.
struct ScatterLimit {
  double value = 0;
  std::string name;
};

struct ScatterFrame {
  std::string title;
  std::function<std::string(double)> format_x;
  std::function<std::string(double)> format_y;
  std::vector<ScatterPoint> front;  ///< by x, falling in y: drawn as stairs
  Color front_color;
  std::optional<ScatterLimit> limit_x;
  std::optional<ScatterLimit> limit_y;  ///< left out where it lies far above all points
};

/// The point under the pointer.
struct ScatterPick {
  std::size_t series = 0;
  std::size_t point = 0;
  bool clicked = false;
};

/// Draws into a rectangle of the current window of this size in pixels and takes its room. Points
/// that are not finite are left out; nothing where the pointer is on none.
std::optional<ScatterPick> draw_scatter(const char* id, const ScatterFrame& frame,
                                        const std::vector<ScatterSeries>& series, float width,
                                        float height, const Fonts& fonts, const Palette& palette,
                                        float scale);

/// The mark of a series in a line of text; moves on by its width.
void draw_mark(MarkShape shape, const Color& color, float scale);

}  // namespace quintet::viewer
