#include "viewer/widgets/line_plot.h"

#include <cmath>
#include <gtest/gtest.h>

namespace quintet::viewer {
namespace {

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
