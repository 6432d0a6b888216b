#include "profiler/trace/clock_map.h"

#include <gtest/gtest.h>

namespace quintet {
namespace {

constexpr std::int64_t kUnix = 1'700'000'000'000'000'000;

/// At `trace_ns` the other clock was `ahead` beyond kUnix.
TraceClockPair pair(std::int64_t trace_ns, std::int64_t ahead, std::uint16_t clock = 1) {
  return {clock, kUnix + trace_ns + ahead, trace_ns, 30};
}

TEST(ClockMap, WithoutPairsKeepsTheOffset) {
  EXPECT_EQ(ClockMap(kUnix).trace_ns(kUnix + 5), 5);
  EXPECT_EQ(ClockMap(kUnix).drift_ns(), 0);
}

TEST(ClockMap, IsLinearBetweenPairsAndKeepsTheirOffsetBeyondThem) {
  const ClockMap map({pair(1'000'000, 0), pair(2'000'000, 1000), pair(3'000'000, 400)}, 1);
  EXPECT_EQ(map.trace_ns(kUnix + 500'000), 500'000);
  EXPECT_EQ(map.trace_ns(kUnix + 1'000'000), 1'000'000);
  EXPECT_EQ(map.trace_ns(kUnix + 1'500'500), 1'500'000);
  EXPECT_EQ(map.trace_ns(kUnix + 2'001'000), 2'000'000);
  EXPECT_EQ(map.trace_ns(kUnix + 2'500'700), 2'500'000);
  EXPECT_EQ(map.trace_ns(kUnix + 9'000'400), 9'000'000);
  EXPECT_EQ(map.drift_ns(), 400);
  EXPECT_EQ(map.most_drift_ns(), 1000);
}

TEST(ClockMap, OfDaysAndSecondsOfDriftDoesNotOverflow) {
  constexpr std::int64_t kDay = 86'400'000'000'000;
  const ClockMap map({pair(0, 0), pair(2 * kDay, 4'000'000'000)}, 1);
  EXPECT_EQ(map.trace_ns(kUnix + kDay + 2'000'000'000), kDay);
}

TEST(ClockMap, TakesThePairsOfItsClockOnly) {
  const ClockMap map({pair(10, 0, 2), pair(20, 5), pair(30, 9, 2)}, 1);
  EXPECT_EQ(map.pairs().size(), 1U);
  EXPECT_EQ(map.trace_ns(kUnix + 25), 20);
}

TEST(ClockMap, DoesNotTakeAPairThatGoesBack) {
  ClockMap map;
  EXPECT_TRUE(map.add(pair(100, 0)));
  EXPECT_FALSE(map.add(pair(200, -150)));
  EXPECT_FALSE(map.add(pair(100, 0)));
  EXPECT_EQ(map.trace_ns(kUnix + 300), 300);
}

TEST(ClockMap, OfALaneIsTheFirstUnlessTheTraceSaysAnother) {
  Trace trace;
  trace.lane_clocks = {{3, 1}};
  EXPECT_EQ(clock_of_lane(trace, 3), 1);
  EXPECT_EQ(clock_of_lane(trace, 0), 0);
}

}  // namespace
}  // namespace quintet
