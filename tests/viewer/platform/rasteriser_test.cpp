#include "viewer/platform/rasteriser.h"

#include <functional>
#include <gtest/gtest.h>
#include <imgui.h>
#include <limits>

#include "viewer/platform/windowless_screen.h"

namespace quintet::viewer {
namespace {

/// Draws what a test wants onto the background list.
class Sketch : public ScreenClient {
 public:
  explicit Sketch(std::function<void(ImDrawList&)> paint) : paint_(std::move(paint)) {}
  void draw(const Fonts& /*fonts*/, const ScreenFrame& /*frame*/) override {
    paint_(*ImGui::GetBackgroundDrawList());
  }
  void key(const KeyChord& /*chord*/, bool /*typing*/) override {}
  void drop(const std::vector<std::string>& /*files*/) override {}
  [[nodiscard]] std::string title() const override { return "sketch"; }
  void close() override {}
  [[nodiscard]] bool closing() const override { return false; }
  [[nodiscard]] double sleep_seconds() const override { return -1; }

 private:
  std::function<void(ImDrawList&)> paint_;
};

Image drawn(const std::function<void(ImDrawList&)>& paint) {
  WindowlessScreen screen({64, 48, 1});
  Sketch sketch(paint);
  screen.frame(sketch);
  return screen.picture();
}

int count_lit(const Image& image) {
  int lit = 0;
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x)
      lit += image.pixel(x, y)[0] > 0 || image.pixel(x, y)[1] > 0 || image.pixel(x, y)[2] > 0;
  }
  return lit;
}

constexpr ImU32 kRed = IM_COL32(255, 0, 0, 255);

TEST(Rasteriser, FillsExactlyThePixelsOfARectangle) {
  const Image image = drawn([](ImDrawList& draw) { draw.AddRectFilled({10, 5}, {30, 25}, kRed); });
  EXPECT_EQ(count_lit(image), 400);
  EXPECT_EQ(image.pixel(10, 5)[0], 255);
  EXPECT_EQ(image.pixel(29, 24)[0], 255);
  EXPECT_EQ(image.pixel(9, 5)[0], 0);
  EXPECT_EQ(image.pixel(30, 24)[0], 0);
}

TEST(Rasteriser, PixelsOnASharedEdgeAreBlendedOnce) {
  // A rectangle is two triangles: a pixel that both took would be brighter.
  const Image image = drawn([](ImDrawList& draw) {
    draw.AddRectFilled({3, 3}, {53, 43}, IM_COL32(255, 255, 255, 100));
  });
  for (int y = 3; y < 43; ++y) {
    for (int x = 3; x < 53; ++x)
      ASSERT_EQ(image.pixel(x, y)[0], 100) << x << " " << y;
  }
}

TEST(Rasteriser, KeepsToTheClipRectangle) {
  const Image image = drawn([](ImDrawList& draw) {
    draw.PushClipRect({20, 20}, {24, 22});
    draw.AddRectFilled({0, 0}, {64, 48}, kRed);
    draw.PopClipRect();
  });
  EXPECT_EQ(count_lit(image), 8);
}

TEST(Rasteriser, WritesText) {
  const Image image = drawn([](ImDrawList& draw) { draw.AddText({2, 2}, kRed, "Quintet"); });
  EXPECT_GT(count_lit(image), 60);
}

TEST(Rasteriser, LeavesOutWhatIsNotFiniteOrFarAway) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Image image = drawn([&](ImDrawList& draw) {
    draw.Flags = ImDrawListFlags_None;
    draw.AddTriangleFilled({nan, 0}, {10, 0}, {0, 10}, kRed);
    draw.AddTriangleFilled({1e30F, 0}, {10, 0}, {0, 10}, kRed);
  });
  EXPECT_EQ(count_lit(image), 0);
}

TEST(Rasteriser, EqualListsMakeEqualPictures) {
  const auto paint = [](ImDrawList& draw) {
    draw.AddCircleFilled({30, 20}, 15, kRed);
    draw.AddLine({0, 0}, {60, 40}, IM_COL32(0, 255, 0, 128), 2);
    draw.AddText({5, 30}, kRed, "same");
  };
  EXPECT_EQ(drawn(paint).rgba, drawn(paint).rgba);
}

TEST(Rasteriser, CountsWhatAFrameAsksFor) {
  WindowlessScreen screen({64, 48, 1});
  Sketch sketch([](ImDrawList& draw) { draw.AddRectFilled({10, 5}, {30, 25}, kRed); });
  screen.frame(sketch);
  EXPECT_EQ(screen.counts().triangles, 2U);
  EXPECT_EQ(screen.counts().vertices, 4U);
  EXPECT_EQ(screen.counts().commands, 1U);
}

}  // namespace
}  // namespace quintet::viewer
