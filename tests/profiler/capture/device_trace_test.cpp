#include "profiler/capture/device_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profiler/capture/fake_device.h"

namespace quintet::test {
namespace {

using testing::Contains;
using testing::Field;

/// A device on which nothing runs; its clocks are compared at every step.
class DeviceTraceTest : public testing::Test {
 protected:
  DeviceTraceTest()
      : trace_({.mode = DeviceRecording::node, .windows = {}, .clock_period_ns = 0},
               [this](TraceBatch batch) { append(told_, std::move(batch)); }) {
    EXPECT_TRUE(trace_.open(open_fake(script_)));
    trace_.start({});
  }

  DeviceScript script_;
  TraceBatch told_;
  DeviceTrace trace_;
};

TEST_F(DeviceTraceTest, ComparesTheClocksAtTheStartAtStepsAndAtTheEnd) {
  trace_.begin_step(0, 0);
  trace_.begin_step(1, 1);
  trace_.end();
  ASSERT_EQ(told_.clock_pairs.size(), 4U);
  for (const TraceClockPair& pair : told_.clock_pairs) {
    EXPECT_EQ(pair.clock, kDeviceClock);
    EXPECT_GE(pair.width_ns, 0);
    EXPECT_LE(std::abs(pair.clock_ns - pair.trace_ns - kUnixOffsetNs), pair.width_ns);
  }
  EXPECT_THAT(trace_.findings(), testing::Not(Contains(Field(&Finding::name, "clock_drift"))));
}

TEST_F(DeviceTraceTest, FollowsAClockThatDriftsAndSaysByHowMuch) {
  constexpr std::int64_t kShift = 100'000'000;
  trace_.begin_step(0, 0);
  script_.clock_shift_ns = kShift;
  trace_.begin_step(1, 1);
  DeviceRecord record = kernel_of(1);
  record.begin_ns += kShift;
  record.end_ns += kShift;
  script_.listener->recorded(std::vector<DeviceRecord>{record});
  // It ran just now; by the clocks as they were at the start it would run a tenth of a second later.
  EXPECT_LT(std::abs(monotonic_ns() - told_.spans.end_ns.back()), kShift / 2);
  trace_.end();
  EXPECT_THAT(trace_.findings(), Contains(Field(&Finding::name, "clock_drift")));
}

TEST_F(DeviceTraceTest, ThatTheDriverCannotSayWhatItDroppedIsNotThatItDroppedNothing) {
  script_.dropped = std::nullopt;
  trace_.end();
  EXPECT_THAT(trace_.findings(), Contains(Field(&Finding::name, "dropped_records_unknown")));
  script_.dropped = 7;
  EXPECT_THAT(trace_.findings(), Contains(Field(&Finding::name, "dropped_records")));
  script_.dropped = 0;
  EXPECT_TRUE(trace_.findings().empty());
}

TEST_F(DeviceTraceTest, TellsWhatTheDriverDidForItself) {
  const std::int64_t now = monotonic_ns() + kUnixOffsetNs;
  script_.listener->overhead(std::vector<OverheadRecord>{
      {"buffer request", now - 500, now}, {"buffer request", now - 100, now}, {"resource", 0, 0}});
  trace_.end();
  ASSERT_EQ(told_.spans.size(), 2U);
  ASSERT_EQ(told_.lanes.size(), 1U);
  EXPECT_EQ(told_.lanes[0].kind, LaneKind::host);
  ASSERT_EQ(told_.tasks.size(), 1U);
  EXPECT_EQ(told_.tasks[0].name, "overhead/buffer request");
  EXPECT_EQ(told_.tasks[0].op_kind, "HOST_OVERHEAD");
  EXPECT_EQ(told_.spans.step[0], -1);
  EXPECT_THAT(trace_.findings(), Contains(Field(&Finding::name, "untimed_overhead")));
}

TEST_F(DeviceTraceTest, DoesNotFollowAClockThatIsSetBack) {
  script_.clock_shift_ns = -1'000'000'000;
  trace_.begin_step(0, 0);
  trace_.end();
  EXPECT_EQ(told_.clock_pairs.size(), 1U);
  EXPECT_THAT(trace_.findings(), Contains(Field(&Finding::name, "clock_set_back")));
}

}  // namespace
}  // namespace quintet::test
