#include "profiler/analysis/occupancy.h"

#include <gtest/gtest.h>
#include <random>

namespace quintet {
namespace {

TEST(Occupancy, CountsSpansPerNanosecondOnRandomInput) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Interval> spans(random() % 10);
    for (Interval& span : spans) {
      span.begin = static_cast<std::int64_t>(random() % 50);
      span.end = span.begin + static_cast<std::int64_t>(random() % 12);
    }
    const Interval window{10, 45};
    std::vector<std::int64_t> expected;
    for (std::int64_t time = window.begin; time < window.end; ++time) {
      std::size_t active = 0;
      for (const Interval& span : spans)
        active += span.contains(time) ? 1 : 0;
      if (expected.size() <= active) expected.resize(active + 1);
      ++expected[active];
    }
    EXPECT_EQ(occupancy_of(spans, window).time_at, expected);
  }
}

TEST(Occupancy, NeighboursAtOneTimestampNeverOverlap) {
  const Occupancy occupancy = occupancy_of({{0, 5}, {5, 9}, {5, 5}}, {0, 10});
  EXPECT_EQ(occupancy.time_at, (std::vector<std::int64_t>{1, 9}));
  EXPECT_EQ(occupancy.busy(), 9);
  EXPECT_EQ(occupancy.total(), 9);
}

TEST(Occupancy, WithoutSpansTheWholeWindowIsIdle) {
  EXPECT_EQ(occupancy_of({}, {3, 10}).time_at, (std::vector<std::int64_t>{7}));
}

}  // namespace
}  // namespace quintet
