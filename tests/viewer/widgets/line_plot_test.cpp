#include "viewer/widgets/line_plot.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "viewer/widgets/plot_canvas.h"

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

TEST(Thinned, KeepsPeaksAndDropsWhatIsNotFinite) {
  std::vector<PlotPoint> points;
  for (int point = 0; point < 10000; ++point)
    points.push_back({static_cast<double>(point), 1, {}});
  points[5000].y = 99;
  points[7000].y = -99;
  points[100].y = std::nan("");
  const std::vector<PlotPoint> kept = thinned(points, 200);
  EXPECT_LE(kept.size(), 400U);
  double low = 0;
  double high = 0;
  double last = -1;
  for (const PlotPoint& point : kept) {
    low = std::min(low, point.y);
    high = std::max(high, point.y);
    EXPECT_GT(point.x, last);
    last = point.x;
  }
  EXPECT_EQ(low, -99);
  EXPECT_EQ(high, 99);
}

TEST(Thinned, LeavesAShortCurveAsItIs) {
  EXPECT_EQ(thinned({{0, 1, {}}, {1, 2, {}}}, 100).size(), 2U);
  EXPECT_TRUE(thinned({}, 100).empty());
}

}  // namespace
}  // namespace quintet::viewer
