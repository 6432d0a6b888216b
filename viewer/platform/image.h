/// A picture in memory, and as a PNG file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/model/result.h"

namespace quintet::viewer {

/// Rows from top to bottom, four bytes a pixel: red, green, blue, alpha.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgba;

  [[nodiscard]] bool empty() const { return width <= 0 || height <= 0; }
  [[nodiscard]] const std::uint8_t* pixel(int x, int y) const {
    return rgba.data() + 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                              static_cast<std::size_t>(x));
  }
  /// What lies in the rectangle, cut to the picture.
  [[nodiscard]] Image cut(int x, int y, int cut_width, int cut_height) const;
};

/// Errors: the file cannot be written.
Result<void> write_png(const Image& image, const std::string& path);
/// Errors: no file, no PNG.
Result<Image> read_png(const std::string& path);

}  // namespace quintet::viewer
