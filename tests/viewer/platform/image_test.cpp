#include "viewer/platform/image.h"

#include <fstream>
#include <gtest/gtest.h>

#include "tests/profiler/trace/sample_trace.h"

namespace quintet::viewer {
namespace {

Image checkered(int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const auto shade = static_cast<std::uint8_t>((x + y) % 2 == 0 ? 255 : x);
      image.rgba.insert(image.rgba.end(), {shade, static_cast<std::uint8_t>(y), 7, 255});
    }
  }
  return image;
}

TEST(Image, IsReadFromItsPngAsItWas) {
  const TemporaryFolder folder;
  const Image image = checkered(37, 11);
  ASSERT_TRUE(write_png(image, folder.file("a.png")));
  const Result<Image> read = read_png(folder.file("a.png"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->width, 37);
  EXPECT_EQ(read->height, 11);
  EXPECT_EQ(read->rgba, image.rgba);
}

TEST(Image, WhatIsNoPngIsAnError) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("a.png")) << "no picture";
  EXPECT_FALSE(read_png(folder.file("a.png")));
  EXPECT_FALSE(read_png(folder.file("missing.png")));
  EXPECT_FALSE(write_png(checkered(2, 2), folder.file("missing/a.png")));
  EXPECT_FALSE(write_png(Image{}, folder.file("b.png")));
}

TEST(Image, APartIsCutToThePicture) {
  const Image image = checkered(10, 10);
  const Image part = image.cut(7, 8, 100, 100);
  EXPECT_EQ(part.width, 3);
  EXPECT_EQ(part.height, 2);
  EXPECT_EQ(part.pixel(1, 1)[1], 9);
  EXPECT_TRUE(image.cut(20, 20, 5, 5).empty());
  EXPECT_EQ(image.cut(-5, -5, 8, 8).width, 3);
}

}  // namespace
}  // namespace quintet::viewer
