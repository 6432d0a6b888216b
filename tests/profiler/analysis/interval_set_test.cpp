#include "profiler/analysis/interval_set.h"

#include <gtest/gtest.h>
#include <random>

namespace quintet {
namespace {

constexpr std::int64_t kRange = 40;

std::vector<Interval> random_intervals(std::mt19937& random) {
  std::vector<Interval> intervals(random() % 12);
  for (Interval& interval : intervals) {
    interval.begin = static_cast<std::int64_t>(random() % kRange);
    // Empty and reversed ones included.
    interval.end = interval.begin + static_cast<std::int64_t>(random() % 9) - 1;
  }
  return intervals;
}

/// The set as one flag per nanosecond.
std::vector<bool> flags_of(const std::vector<Interval>& intervals) {
  std::vector<bool> flags(kRange + 16);
  for (const Interval& interval : intervals) {
    for (std::int64_t time = interval.begin; time < interval.end; ++time)
      flags[static_cast<std::size_t>(time)] = true;
  }
  return flags;
}

void expect_well_formed(const IntervalSet& set) {
  const auto& intervals = set.intervals();
  for (std::size_t index = 0; index < intervals.size(); ++index) {
    EXPECT_FALSE(intervals[index].empty());
    if (index > 0) {
      EXPECT_LT(intervals[index - 1].end, intervals[index].begin);
    }
  }
}

TEST(IntervalSet, AgreesWithFlagsPerNanosecondOnRandomSets) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::vector<Interval> raw_a = random_intervals(random);
    const std::vector<Interval> raw_b = random_intervals(random);
    const IntervalSet a(raw_a);
    const IntervalSet b(raw_b);
    const std::vector<bool> in_a = flags_of(raw_a);
    const std::vector<bool> in_b = flags_of(raw_b);
    const std::vector<bool> united = flags_of(unite(a, b).intervals());
    const std::vector<bool> common = flags_of(intersect(a, b).intervals());
    const std::vector<bool> rest = flags_of(subtract(a, b).intervals());
    std::int64_t both = 0;
    for (std::size_t time = 0; time < in_a.size(); ++time) {
      ASSERT_EQ(united[time], in_a[time] || in_b[time]);
      ASSERT_EQ(common[time], in_a[time] && in_b[time]);
      ASSERT_EQ(rest[time], in_a[time] && !in_b[time]);
      both += in_a[time] && in_b[time] ? 1 : 0;
    }
    for (const IntervalSet& set : {a, unite(a, b), intersect(a, b), subtract(a, b)})
      expect_well_formed(set);
    EXPECT_EQ(common_length(a, b), both);
    EXPECT_EQ(unite(a, b).length() + intersect(a, b).length(), a.length() + b.length());
    EXPECT_EQ(subtract(a, b).length() + common_length(a, b), a.length());
    const Interval window{5, 23};
    EXPECT_EQ(a.within(window), intersect(a, IntervalSet({window})));
  }
}

TEST(IntervalSet, JoinsNeighboursAndDropsWhatIsEmpty) {
  EXPECT_EQ(IntervalSet({{5, 5}, {3, 4}, {1, 3}, {9, 7}}), IntervalSet({{1, 4}}));
}

TEST(IntervalSet, OverlappingSpansOfOneLaneCountOnce) {
  EXPECT_EQ(IntervalSet({{0, 10}, {5, 12}, {6, 8}}).length(), 12);
}

}  // namespace
}  // namespace quintet
