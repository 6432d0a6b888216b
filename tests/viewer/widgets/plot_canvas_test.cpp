#include "viewer/widgets/plot_canvas.h"

#include <cmath>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <limits>

namespace quintet::viewer {
namespace {

TEST(RoundTicks, AreRoundAndWithinTheRange) {
  EXPECT_EQ(round_ticks(0, 10, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  const std::vector<double> ticks = round_ticks(0.13, 0.47, 4);
  ASSERT_FALSE(ticks.empty());
  EXPECT_GE(ticks.front(), 0.13);
  EXPECT_LE(ticks.back(), 0.47 + 1e-9);
}

TEST(RoundTicks, ZeroHasNoSign) {
  for (const double tick : round_ticks(-0.0, 10, 5))
    EXPECT_FALSE(std::signbit(tick)) << tick;
}

TEST(RoundTicks, OfAnyRangeAreFew) {
  for (const double scale : {1e-12, 1e-3, 1.0, 1e9, 1e300}) {
    EXPECT_LE(round_ticks(-scale, scale, 6).size(), 16U) << scale;
    EXPECT_GE(round_ticks(-scale, scale, 6).size(), 2U) << scale;
  }
  EXPECT_EQ(round_ticks(3, 3, 4), std::vector<double>{3});
  EXPECT_TRUE(round_ticks(0, std::numeric_limits<double>::infinity(), 4).empty());
}

TEST(LabelledTicks, NameNoValueTwice) {
  const auto whole = [](double x) { return fmt::format("{:.0f}", x); };
  std::vector<double> values;
  std::vector<std::string> texts;
  for (const LabelledTick& tick : labelled(round_ticks(-1, 1, 6), whole)) {
    values.push_back(tick.value);
    texts.push_back(tick.text);
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"-1", "0", "1"}));
  EXPECT_EQ(values, (std::vector<double>{-1, 0, 1}));
}

TEST(PlotRange, TakesWhatIsFiniteAndHasALengthOnceWidened) {
  PlotRange range;
  EXPECT_TRUE(range.empty());
  range.take(std::nan(""));
  range.take(std::numeric_limits<double>::infinity());
  EXPECT_TRUE(range.empty());
  range.take(5);
  range.widen();
  EXPECT_LT(range.low, 5);
  EXPECT_GT(range.high, 5);
  range = {};
  range.take(0);
  range.widen();
  EXPECT_EQ(range.low, -1);
  EXPECT_EQ(range.high, 1);
  range.pad(0.5);
  EXPECT_EQ(range.low, -2);
  EXPECT_EQ(range.high, 2);
}

TEST(PlotCanvas, PutsTheLeastAtTheBottomLeftAndTheMostAtTheTopRight) {
  PlotCanvas canvas = PlotCanvas::within({10, 20}, 300, 200, 1);
  ASSERT_TRUE(canvas.drawable());
  canvas.x.take(100);
  canvas.x.take(300);
  canvas.y.take(-1);
  canvas.y.take(1);
  EXPECT_FLOAT_EQ(canvas.at(100, -1).x, canvas.least.x);
  EXPECT_FLOAT_EQ(canvas.at(100, -1).y, canvas.most.y);
  EXPECT_FLOAT_EQ(canvas.at(300, 1).x, canvas.most.x);
  EXPECT_FLOAT_EQ(canvas.at(300, 1).y, canvas.least.y);
  EXPECT_FALSE(PlotCanvas::within({0, 0}, 40, 20, 1).drawable()) << "too small for its axes";
}

}  // namespace
}  // namespace quintet::viewer
