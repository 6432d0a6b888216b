/// Turns ImGui's draw lists into pixels without a GPU: for screenshots and tests.
#pragma once

#include <cstddef>
#include <cstdint>

#include "viewer/platform/image.h"

struct ImDrawData;

namespace quintet::viewer {

/// The one texture of a windowless screen: the font atlas, four bytes a pixel.
struct TextureView {
  const std::uint8_t* rgba = nullptr;
  int width = 0;
  int height = 0;
};

/// How much a frame asks of a GPU.
struct DrawCounts {
  std::size_t lists = 0;
  std::size_t commands = 0;
  std::size_t vertices = 0;
  std::size_t triangles = 0;
};

DrawCounts count_draws(const ImDrawData& data);

/// Draws as the OpenGL backend does: triangles, bilinear texture, scissor rectangles, source alpha
/// over what is there. `ground`: packed as Color::packed. A triangle of which a vertex is not
/// finite is left out. Equal pictures for equal lists.
Image rasterise(const ImDrawData& data, const TextureView& texture, std::uint32_t ground);

/// The frame that ImGui rendered last in its current context, on black.
Image rasterise_frame();

}  // namespace quintet::viewer
