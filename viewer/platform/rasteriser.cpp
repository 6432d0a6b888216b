#include "viewer/platform/rasteriser.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <imgui.h>

namespace quintet::viewer {

namespace {

/// Red, green, blue, alpha between 0 and 255.
using Rgba = std::array<float, 4>;

Rgba unpacked(std::uint32_t color) {
  return {static_cast<float>(color & 255U), static_cast<float>(color >> 8U & 255U),
          static_cast<float>(color >> 16U & 255U), static_cast<float>(color >> 24U)};
}

struct Clip {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
};

Rgba texel(const TextureView& texture, int x, int y) {
  const int column = std::clamp(x, 0, texture.width - 1);
  const int row = std::clamp(y, 0, texture.height - 1);
  const std::uint8_t* at =
      texture.rgba + 4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(texture.width) +
                          static_cast<std::size_t>(column));
  return {static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2]),
          static_cast<float>(at[3])};
}

Rgba sample(const TextureView& texture, float u, float v) {
  const float x = u * static_cast<float>(texture.width) - 0.5F;
  const float y = v * static_cast<float>(texture.height) - 0.5F;
  const float left = std::floor(x);
  const float top = std::floor(y);
  const float across = x - left;
  const float down = y - top;
  const int column = static_cast<int>(left);
  const int row = static_cast<int>(top);
  const Rgba a = texel(texture, column, row);
  const Rgba b = texel(texture, column + 1, row);
  const Rgba c = texel(texture, column, row + 1);
  const Rgba d = texel(texture, column + 1, row + 1);
  Rgba mixed{};
  for (std::size_t channel = 0; channel < 4; ++channel) {
    const float upper = a[channel] + (b[channel] - a[channel]) * across;
    const float lower = c[channel] + (d[channel] - c[channel]) * across;
    mixed[channel] = upper + (lower - upper) * down;
  }
  return mixed;
}

void blend(std::uint8_t* pixel, const Rgba& color) {
  const float alpha = color[3] / 255.0F;
  if (alpha <= 0) return;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const float below = static_cast<float>(pixel[channel]);
    pixel[channel] =
        static_cast<std::uint8_t>(std::lround(below + (color[channel] - below) * alpha));
  }
}

/// Twice the signed area that the edge from `a` to `b` and the point span.
float edge(const ImVec2& a, const ImVec2& b, float x, float y) {
  return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

/// Of the pixels on an edge that two triangles share, one triangle takes each.
bool takes_edge(const ImVec2& a, const ImVec2& b) {
  return (a.y == b.y && b.x > a.x) || b.y < a.y;
}

bool finite(const ImDrawVert& vertex) {
  constexpr float kFarthest = 1e7F;
  return std::abs(vertex.pos.x) < kFarthest && std::abs(vertex.pos.y) < kFarthest;
}

/// Draws into one picture. Usage: Painter(image, texture).triangle(clip, a, b, c).
class Painter {
 public:
  Painter(Image& image, const TextureView& texture) : image_(image), texture_(texture) {}

  void triangle(const Clip& clip, const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    if (!finite(a) || !finite(b) || !finite(c)) return;
    const float area = edge(a.pos, b.pos, c.pos.x, c.pos.y);
    if (area == 0) return;
    if (area < 0) {
      fill(clip, {&a, &c, &b}, -area);
    } else {
      fill(clip, {&a, &b, &c}, area);
    }
  }

 private:
  using Corners = std::array<const ImDrawVert*, 3>;

  static int lowest(float a, float b, float c) {
    return static_cast<int>(std::floor(std::min({a, b, c}) - 0.5F));
  }
  static int highest(float a, float b, float c) {
    return static_cast<int>(std::ceil(std::max({a, b, c}) + 0.5F));
  }

  void fill(const Clip& clip, const Corners& corners, float area) {
    const ImVec2& a = corners[0]->pos;
    const ImVec2& b = corners[1]->pos;
    const ImVec2& c = corners[2]->pos;
    const int top = std::max(clip.top, lowest(a.y, b.y, c.y));
    const int bottom = std::min(clip.bottom, highest(a.y, b.y, c.y));
    const int left = std::max(clip.left, lowest(a.x, b.x, c.x));
    const int right = std::min(clip.right, highest(a.x, b.x, c.x));
    const std::array<bool, 3> takes = {takes_edge(b, c), takes_edge(c, a), takes_edge(a, b)};
    const bool flat = is_flat(corners);
    const Rgba solid = flat ? shade(corners, {1, 0, 0}) : Rgba{};
    for (int y = top; y < bottom; ++y) {
      const float center_y = static_cast<float>(y) + 0.5F;
      bool inside_before = false;
      for (int x = left; x < right; ++x) {
        const float center_x = static_cast<float>(x) + 0.5F;
        const std::array<float, 3> weights = {edge(b, c, center_x, center_y),
                                              edge(c, a, center_x, center_y),
                                              edge(a, b, center_x, center_y)};
        if (!covers(weights, takes)) {
          // A triangle is convex: what follows in this row lies outside, too.
          if (inside_before) break;
          continue;
        }
        inside_before = true;
        std::uint8_t* pixel = image_.rgba.data() + 4 * (static_cast<std::size_t>(y) *
                                                            static_cast<std::size_t>(image_.width) +
                                                        static_cast<std::size_t>(x));
        blend(pixel,
              flat ? solid
                   : shade(corners, {weights[0] / area, weights[1] / area, weights[2] / area}));
      }
    }
  }

  static bool covers(const std::array<float, 3>& weights, const std::array<bool, 3>& takes) {
    for (std::size_t side = 0; side < 3; ++side) {
      if (weights[side] < 0 || (weights[side] == 0 && !takes[side])) return false;
    }
    return true;
  }

  static bool is_flat(const Corners& corners) {
    const auto same = [](const ImDrawVert& one, const ImDrawVert& other) {
      return one.col == other.col && one.uv.x == other.uv.x && one.uv.y == other.uv.y;
    };
    return same(*corners[0], *corners[1]) && same(*corners[0], *corners[2]);
  }

  [[nodiscard]] Rgba shade(const Corners& corners, const std::array<float, 3>& weights) const {
    float u = 0;
    float v = 0;
    Rgba color{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      u += corners[corner]->uv.x * weights[corner];
      v += corners[corner]->uv.y * weights[corner];
      const Rgba own = unpacked(corners[corner]->col);
      for (std::size_t channel = 0; channel < 4; ++channel)
        color[channel] += own[channel] * weights[corner];
    }
    const Rgba texture = sample(texture_, u, v);
    for (std::size_t channel = 0; channel < 4; ++channel)
      color[channel] *= texture[channel] / 255.0F;
    return color;
  }

  Image& image_;
  const TextureView& texture_;
};

Clip clip_of(const ImDrawData& data, const ImDrawCmd& command, const Image& image) {
  const auto pixel = [](float value, int most) {
    return std::clamp(static_cast<int>(std::lround(value)), 0, most);
  };
  const ImVec2 origin = data.DisplayPos;
  return {pixel(command.ClipRect.x - origin.x, image.width),
          pixel(command.ClipRect.y - origin.y, image.height),
          pixel(command.ClipRect.z - origin.x, image.width),
          pixel(command.ClipRect.w - origin.y, image.height)};
}

void draw_list(const ImDrawData& data, const ImDrawList& list, Image& image, Painter& painter) {
  for (const ImDrawCmd& command : list.CmdBuffer) {
    if (command.UserCallback != nullptr) continue;
    const Clip clip = clip_of(data, command, image);
    if (clip.left >= clip.right || clip.top >= clip.bottom) continue;
    for (unsigned int index = 0; index + 2 < command.ElemCount; index += 3) {
      std::array<ImDrawVert, 3> corners;
      for (unsigned int corner = 0; corner < 3; ++corner) {
        const ImDrawIdx at = list.IdxBuffer[static_cast<int>(command.IdxOffset + index + corner)];
        corners[corner] = list.VtxBuffer[static_cast<int>(command.VtxOffset + at)];
        corners[corner].pos.x -= data.DisplayPos.x;
        corners[corner].pos.y -= data.DisplayPos.y;
      }
      painter.triangle(clip, corners[0], corners[1], corners[2]);
    }
  }
}

}  // namespace

DrawCounts count_draws(const ImDrawData& data) {
  DrawCounts counts;
  counts.lists = static_cast<std::size_t>(data.CmdListsCount);
  counts.vertices = static_cast<std::size_t>(data.TotalVtxCount);
  counts.triangles = static_cast<std::size_t>(data.TotalIdxCount) / 3;
  for (int list = 0; list < data.CmdListsCount; ++list)
    counts.commands += static_cast<std::size_t>(data.CmdLists[list]->CmdBuffer.Size);
  return counts;
}

Image rasterise(const ImDrawData& data, const TextureView& texture, std::uint32_t ground) {
  Image image;
  image.width = static_cast<int>(std::lround(data.DisplaySize.x));
  image.height = static_cast<int>(std::lround(data.DisplaySize.y));
  if (image.empty()) return {};
  const std::size_t pixels =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  image.rgba.resize(4 * pixels);
  for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
    image.rgba[4 * pixel] = static_cast<std::uint8_t>(ground & 255U);
    image.rgba[4 * pixel + 1] = static_cast<std::uint8_t>(ground >> 8U & 255U);
    image.rgba[4 * pixel + 2] = static_cast<std::uint8_t>(ground >> 16U & 255U);
    image.rgba[4 * pixel + 3] = 255;
  }
  Painter painter(image, texture);
  for (int list = 0; list < data.CmdListsCount; ++list)
    draw_list(data, *data.CmdLists[list], image, painter);
  return image;
}

Image rasterise_frame() {
  unsigned char* pixels = nullptr;
  TextureView texture;
  ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &texture.width, &texture.height);
  texture.rgba = pixels;
  constexpr std::uint32_t kBlack = 0xFF000000;
  return rasterise(*ImGui::GetDrawData(), texture, kBlack);
}

}  // namespace quintet::viewer
