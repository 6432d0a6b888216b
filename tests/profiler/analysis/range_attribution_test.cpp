#include "profiler/analysis/range_attribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "profiler/trace/trace_batch.h"

namespace quintet {
namespace {

using testing::ElementsAre;

/// An import with a stream and two threads, to which ranges, calls and kernels are added.
class Ranges : public testing::Test {
 protected:
  static constexpr std::uint16_t kStream = 0;
  static constexpr std::uint16_t kMain = 1;
  static constexpr std::uint16_t kOther = 2;

  Ranges() {
    trace_.lanes = {{LaneId(0), "GPU 0 stream 7", LaneKind::stream, 0, 0, 0},
                    {LaneId(1), "host 1/1", LaneKind::host, 0, 0, 0},
                    {LaneId(2), "host 1/2", LaneKind::host, 0, 0, 0}};
    trace_.activities.resize(3);
    trace_.activities[0].kind = ActivityKind::kernel;
    trace_.activities[1].kind = ActivityKind::api_call;
    trace_.activities[2].kind = ActivityKind::host_range;
  }

  void range(const char* name, std::int64_t begin, std::int64_t end, std::uint16_t lane = kMain,
             const char* kind = "HOST_RANGE") {
    add(name, kind, 2, lane, begin, end, 0);
  }
  /// A call of 10 ns and the kernel that it launches, 100 ns later.
  void launch(std::int64_t begin, std::uint16_t lane = kMain) {
    const auto correlation = ++correlation_;
    add("cudaLaunchKernel", "API_CALL", 1, lane, begin, begin + 10, correlation);
    add("k" + std::to_string(correlation), "KERNEL", 0, kStream, begin + 100, begin + 120,
        correlation);
  }

  /// Of each kernel, in order of launch: its range's name, "" = none, "?" = ambiguous.
  std::vector<std::string> owners(std::int64_t tolerance_ns = 0) {
    const auto attributed = attribute_ranges(trace_, {tolerance_ns});
    std::vector<std::string> names(correlation_);
    for (std::size_t span = 0; span < attributed.size(); ++span) {
      if (trace_.spans.activity[span] != 0) {
        EXPECT_EQ(attributed[span], kNoRange);
        continue;
      }
      std::string& name = names[trace_.spans.correlation[span] - 1];
      const std::uint32_t range = attributed[span];
      if (range == kAmbiguousRange) name = "?";
      if (range < kAmbiguousRange) name = trace_.tasks[trace_.spans.task[range]].name;
    }
    return names;
  }

  Trace trace_;

 private:
  void add(const std::string& name, const char* kind, std::uint32_t activity, std::uint16_t lane,
           std::int64_t begin, std::int64_t end, std::uint32_t correlation) {
    std::uint32_t task = 0;
    while (task < trace_.tasks.size() && trace_.tasks[task].name != name)
      ++task;
    if (task == trace_.tasks.size()) {
      TraceTask added;
      added.name = name;
      added.op_kind = kind;
      trace_.tasks.push_back(added);
    }
    append_span(trace_.spans, {begin, end, -1, task, -1, lane, lane, activity, correlation});
  }

  std::uint32_t correlation_ = 0;
};

TEST_F(Ranges, OfWorkAreTheInnermostAroundItsLaunchOnThatThread) {
  range("step", 0, 1000);
  range("forward", 100, 400);
  range("conv", 150, 200);
  range("elsewhere", 0, 1000, kOther);
  launch(160);
  launch(300);
  launch(500);
  launch(1500);
  launch(600, kOther);
  EXPECT_THAT(owners(), ElementsAre("conv", "forward", "step", "", "elsewhere"));
}

TEST_F(Ranges, HoldACallThatSkewedClocksPutBesideThemWithinATolerance) {
  range("before", 0, 99);
  range("op", 100, 200);
  launch(70);   // reaches 80: inside "before"
  launch(95);   // 5 ns before its op begins
  launch(195);  // ends 5 ns behind it
  EXPECT_THAT(owners(0), ElementsAre("before", "", ""));
  EXPECT_THAT(owners(5), ElementsAre("before", "op", "op"));
  // However wide the tolerance, a call is not in a range that does not hold its middle.
  EXPECT_THAT(owners(1000), ElementsAre("before", "op", "op"));
}

TEST_F(Ranges, ThatWereStartedCountWhereOnlyOneHoldsTheCall) {
  range("batch 1", 0, 500, kMain, "HOST_STARTED_RANGE");
  range("batch 2", 300, 800, kOther, "HOST_STARTED_RANGE");
  range("op", 350, 400);
  launch(100);
  launch(360);  // a nested range decides
  launch(420);  // both batches are open
  launch(600);
  launch(900);
  EXPECT_THAT(owners(), ElementsAre("batch 1", "op", "?", "batch 2", ""));
}

TEST_F(Ranges, ThatOverlapOnOneThreadGiveTheOneThatBeganLast) {
  range("a", 0, 300);
  range("b", 200, 500);
  launch(250);
  EXPECT_THAT(owners(), ElementsAre("b"));
}

TEST_F(Ranges, AreSummedByNameWithTheUnionOfTheirWork) {
  range("op", 0, 100);
  range("op", 200, 300);
  range("x", 1000, 1100, kMain, "HOST_STARTED_RANGE");
  range("y", 1000, 1100, kMain, "HOST_STARTED_RANGE");
  launch(10);
  launch(20);  // its kernel overlaps the first one's by half
  launch(210);
  launch(1010);
  launch(2000);
  const RangeSummary summary = summarise_ranges(trace_, {0});
  ASSERT_EQ(summary.ranges.size(), 1U);
  EXPECT_EQ(trace_.tasks[summary.ranges[0].task].name, "op");
  EXPECT_EQ(summary.ranges[0].ranges, 2);
  EXPECT_EQ(summary.ranges[0].work, 3);
  EXPECT_EQ(summary.ranges[0].busy_ns, 30 + 20);
  EXPECT_EQ(summary.ambiguous, 1);
  EXPECT_EQ(summary.outside, 1);
}

}  // namespace
}  // namespace quintet
