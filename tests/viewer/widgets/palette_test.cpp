#include "viewer/widgets/palette.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace quintet::viewer {
namespace {

/// What WCAG 2 asks of text.
constexpr double kReadable = 4.5;

class Themes : public testing::TestWithParam<ThemeName> {};

TEST_P(Themes, TextReadsOnEveryGroundThatItStandsOn) {
  const Palette& palette = palette_of(GetParam());
  const Color grounds[] = {palette.panel, palette.raised, palette.hovered, palette.lane};
  const Color texts[] = {palette.text, palette.dim,  palette.accent,
                         palette.good, palette.warn, palette.bad};
  for (const Color& ground : grounds) {
    for (const Color& text : texts)
      EXPECT_GE(contrast(ground, text), kReadable)
          << std::hex << ground.packed() << " " << text.packed();
  }
}

TEST_P(Themes, LabelsReadOnTheirBoxes) {
  const Palette& palette = palette_of(GetParam());
  for (const Color& box : palette.families)
    EXPECT_GE(contrast(box, palette.text_on(box)), kReadable) << std::hex << box.packed();
  for (const Color& box : palette.streams)
    EXPECT_GE(contrast(box, palette.text_on(box)), kReadable) << std::hex << box.packed();
  EXPECT_GE(contrast(palette.accent, palette.text_on(palette.accent)), kReadable);
}

TEST_P(Themes, HatchesSidesAndTheCriticalPathStandOutFromTheirGround) {
  // Graphical objects: 3 : 1.
  const Palette& palette = palette_of(GetParam());
  for (const Color& hatch : palette.waits)
    EXPECT_GE(contrast(palette.lane, hatch), 3) << std::hex << hatch.packed();
  for (const Color& side : palette.sides)
    EXPECT_GE(contrast(palette.panel, side), kReadable);
  EXPECT_GE(contrast(palette.lane, palette.critical), 3);
  EXPECT_GE(contrast(palette.lane, palette.selection), kReadable);
}

TEST_P(Themes, FamiliesAndStreamsHaveColoursOfTheirOwn) {
  const Palette& palette = palette_of(GetParam());
  std::set<std::uint32_t> families;
  for (const Color& color : palette.families)
    EXPECT_TRUE(families.insert(color.packed()).second);
  std::set<std::uint32_t> streams;
  for (const Color& color : palette.streams)
    EXPECT_TRUE(streams.insert(color.packed()).second);
}

INSTANTIATE_TEST_SUITE_P(Both, Themes, testing::Values(ThemeName::dark, ThemeName::light),
                         [](const auto& theme) {
                           return theme.param == ThemeName::dark ? "Dark" : "Light";
                         });

TEST(Contrast, IsTwentyOneBetweenBlackAndWhiteAndOneWithItself) {
  EXPECT_NEAR(contrast({0, 0, 0}, {255, 255, 255}), 21, 1e-9);
  EXPECT_NEAR(contrast({255, 255, 255}, {0, 0, 0}), 21, 1e-9);
  EXPECT_NEAR(contrast({12, 200, 7}, {12, 200, 7}), 1, 1e-9);
}

}  // namespace
}  // namespace quintet::viewer
