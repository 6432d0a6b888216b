#include "viewer/model/timeline/timeline_camera.h"

#include <cmath>
#include <gtest/gtest.h>

#include "tests/support/random.h"
#include "viewer/model/timeline/ruler.h"

namespace quintet::viewer {
namespace {

TimelineCamera camera_over(const Interval& extent, double width = 1000) {
  TimelineCamera camera;
  camera.set_width(width);
  camera.set_extent(extent);
  return camera;
}

TEST(TimelineCamera, FitsTheExtentWithRoomAtBothEnds) {
  const TimelineCamera camera = camera_over({5'000, 105'000});
  EXPECT_NEAR(camera.view().px_of(5'000), 1000 * 0.02 / 1.04, 0.1);
  EXPECT_NEAR(camera.view().px_of(105'000), 1000 * 1.02 / 1.04, 0.1);
}

TEST(TimelineCamera, KeepsWhatIsUnderThePointerWhereItIs) {
  TestRandom random(5);
  for (int round = 0; round < 200; ++round) {
    TimelineCamera camera = camera_over({1'700'000'000'000'000'000, 1'700'000'001'000'000'000});
    for (int zoom = 0; zoom < 12; ++zoom) {
      const double x = random.real(0, 1000);
      const std::int64_t before = camera.view().time_at(x);
      camera.zoom(random.real(1, 2.5), x);
      const double off = static_cast<double>(camera.view().time_at(x) - before);
      ASSERT_LE(std::abs(off), 1);
    }
  }
}

TEST(TimelineCamera, PansBackToWhereItWas) {
  TimelineCamera camera = camera_over({0, 1'000'000'000});
  camera.zoom(50, 500);
  const TimeView before = camera.view();
  camera.pan(37.25);
  camera.pan(-37.25);
  EXPECT_NEAR(camera.view().px_of(500'000'000), before.px_of(500'000'000), 0.01);
}

TEST(TimelineCamera, StopsZoomingWhereNothingMoreCanBeSeen) {
  TimelineCamera camera = camera_over({0, 1'000'000});
  for (int zoom = 0; zoom < 200; ++zoom)
    camera.zoom(2, 400);
  EXPECT_GE(camera.view().ns_per_px * 1000, TimelineCamera::kLeastVisibleNs * 0.99);
  for (int zoom = 0; zoom < 200; ++zoom)
    camera.zoom(0.5, 400);
  EXPECT_LE(camera.view().ns_per_px * 1000, 1.3e6);
}

TEST(TimelineCamera, NeverLeavesTheRecordingAltogether) {
  TimelineCamera camera = camera_over({0, 1'000'000});
  for (int pan = 0; pan < 100; ++pan)
    camera.pan(-900);
  EXPECT_LT(camera.view().px_of(0), 1000);
  for (int pan = 0; pan < 200; ++pan)
    camera.pan(900);
  EXPECT_GT(camera.view().px_of(1'000'000), 0);
}

TEST(TimelineCamera, BringsARangeIntoViewWithTheLeastPan) {
  TimelineCamera camera = camera_over({0, 1'000'000});
  camera.show({0, 100'000}, 0);
  camera.reveal({50'000, 51'000});
  EXPECT_EQ(camera.view().begin_ns, 0);
  camera.reveal({150'000, 151'000});
  EXPECT_NEAR(camera.view().px_of(151'000), 960, 1);
  camera.reveal({20'000, 21'000});
  EXPECT_NEAR(camera.view().px_of(20'000), 40, 1);
}

TEST(TimelineCamera, BearsTheWholeClock) {
  TimelineCamera camera = camera_over({kEarliestNs, kLatestNs});
  for (int round = 0; round < 70; ++round) {
    camera.zoom(2, 999);
    camera.pan(500);
    const Interval range = camera.view().range();
    ASSERT_LT(range.begin, range.end);
    ASSERT_TRUE(std::isfinite(camera.view().px_of(kEarliestNs)));
  }
  camera.fit();
  EXPECT_GT(camera.view().px_of(kLatestNs), 900);
}

TEST(TimelineCamera, OfTheOtherSideShowsEarlierTimesAtTheSamePlaces) {
  const TimelineCamera camera = camera_over({1000, 2000});
  const TimeView other = camera.view().of_side(300);
  EXPECT_DOUBLE_EQ(other.px_of(1200), camera.view().px_of(1500));
}

TEST(Ruler, HasRoundReadableTicksAtEveryScale) {
  for (double ns_per_px = 0.01; ns_per_px < 1e13; ns_per_px *= 1.7) {
    TimeView view;
    view.begin_ns = 1'700'000'000'000'000'123;
    view.ns_per_px = ns_per_px;
    view.width_px = 1600;
    const auto ticks = ruler_ticks(view, 1'700'000'000'000'000'000, 110);
    double last = -1000;
    int labels = 0;
    std::string last_label;
    for (const RulerTick& tick : ticks) {
      ASSERT_GE(tick.x_px, 0);
      ASSERT_LE(tick.x_px, 1600);
      if (tick.label.empty()) continue;
      ASSERT_GE(tick.x_px - last, 109.9) << ns_per_px;
      ASSERT_NE(tick.label, last_label) << ns_per_px;
      ASSERT_LE(tick.label.size(), 16U) << tick.label;
      last_label = tick.label;
      last = tick.x_px;
      ++labels;
    }
    // Below one ns a pixel there may be none in view.
    if (ns_per_px * 1600 > 10) {
      ASSERT_GE(labels, 2) << ns_per_px;
    }
    ASSERT_LE(labels, 15);
  }
}

TEST(Ruler, WritesTimesWithTheDigitsTheirStepNeeds) {
  EXPECT_EQ(axis_label(0, 1e6), "0");
  EXPECT_EQ(axis_label(12'500'000, 500'000), "12.5 ms");
  EXPECT_EQ(axis_label(13'000'000, 500'000), "13.0 ms");
  EXPECT_EQ(axis_label(-2'000, 1'000), "-2 us");
  EXPECT_EQ(axis_label(3'200'000'001, 1), "3.200000001 s");
  EXPECT_EQ(axis_label(40, 20), "40 ns");
}

}  // namespace
}  // namespace quintet::viewer
