#include "profiler/capture/device_spans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quintet {
namespace {

using testing::ElementsAre;

constexpr std::int64_t kUnix = 1'700'000'000'000'000'000;
constexpr std::uint64_t kNode = (std::uint64_t{9} << 32) + 4;
constexpr std::uint32_t kLaunch = 77;

/// Two tasks on lanes 0 and 1 of a plan of 7 lanes; step 5 was launched as correlation 77.
class DeviceSpansTest : public testing::Test {
 protected:
  DeviceSpansTest() {
    DeviceSpansStart start;
    start.lanes = 7;
    start.tasks = 2;
    start.graphs = {"WHOLE_STEP_A@train"};
    start.unix_offset_ns = kUnix;
    start.legacy_stream = 7;
    start.limits = {132, 32, 2048, 32, 65536, 233472, 1024};
    spans_ = std::make_unique<DeviceSpans>(std::move(start));
    nodes_.captured(4, {1, 1, 0, 0, 0});
    nodes_.cloned(4, kNode);
    nodes_.captured(5, {0, 0, 0, 1, 0});
    nodes_.cloned(5, kNode + 1);
    spans_->launched(kLaunch, {5, 3, 0, 1000});
  }

  static DeviceRecord kernel(std::uint64_t node, std::int64_t begin, std::int64_t end) {
    DeviceRecord record;
    record.name = "gemm";
    record.begin_ns = kUnix + begin;
    record.end_ns = kUnix + end;
    record.stream = 19;
    record.correlation = kLaunch;
    record.graph_node = node;
    record.channel = 3;
    LaunchShape launch;
    launch.block = {256, 1, 1};
    launch.registers = 64;
    record.launch = launch;
    return record;
  }

  std::unique_ptr<DeviceSpans> spans_;
  NodeTable nodes_;
};

TEST_F(DeviceSpansTest, ARecordOfANodeBecomesASpanOfItsTaskOnThePolicysLane) {
  spans_->add(kernel(kNode, 2000, 2600), nodes_);
  spans_->add(kernel(kNode, 3000, 3500), nodes_);
  const TraceBatch batch = spans_->take();
  EXPECT_THAT(batch.spans.begin_ns, ElementsAre(2000, 3000));
  EXPECT_THAT(batch.spans.end_ns, ElementsAre(2600, 3500));
  EXPECT_THAT(batch.spans.task, ElementsAre(1, 1));
  EXPECT_THAT(batch.spans.step, ElementsAre(5, 5));
  EXPECT_THAT(batch.spans.lane, ElementsAre(1, 1));
  EXPECT_THAT(batch.spans.executor_lane, ElementsAre(7, 7));
  EXPECT_THAT(batch.spans.activity, ElementsAre(0, 0));
  EXPECT_THAT(batch.spans.correlation, ElementsAre(kLaunch, kLaunch));
  EXPECT_THAT(batch.spans.channel, ElementsAre(3, 3));
  EXPECT_THAT(batch.spans.cpu_ns, ElementsAre(-1, -1));
  ASSERT_EQ(batch.lanes.size(), 1U);
  EXPECT_EQ(batch.lanes[0].id, LaneId(7));
  EXPECT_EQ(batch.lanes[0].name, "GPU 0 stream 19");
  EXPECT_EQ(batch.lanes[0].kind, LaneKind::executor);
  ASSERT_EQ(batch.activities.size(), 1U);
  EXPECT_EQ(batch.activities[0].graph_node, kNode);
  EXPECT_EQ(batch.activities[0].captured_node, 4U);
  EXPECT_DOUBLE_EQ(batch.activities[0].launch->occupancy.value(), 0.5);
  EXPECT_TRUE(spans_->findings().empty());
}

TEST_F(DeviceSpansTest, ATaskThatServesTheNextStepSaysSo) {
  spans_->add(kernel(kNode + 1, 2000, 2600), nodes_);
  const TraceBatch batch = spans_->take();
  EXPECT_THAT(batch.spans.task, ElementsAre(0));
  EXPECT_THAT(batch.spans.step, ElementsAre(6));
}

TEST_F(DeviceSpansTest, EachThingIsInternedOnceOverAllBatches) {
  spans_->add(kernel(kNode, 2000, 2600), nodes_);
  spans_->take();
  DeviceRecord other = kernel(kNode + 1, 3000, 3100);
  other.stream = 20;
  spans_->add(other, nodes_);
  spans_->add(kernel(kNode, 4000, 4100), nodes_);
  const TraceBatch batch = spans_->take();
  ASSERT_EQ(batch.lanes.size(), 1U);
  EXPECT_EQ(batch.lanes[0].id, LaneId(8));
  EXPECT_THAT(batch.spans.executor_lane, ElementsAre(8, 7));
  EXPECT_THAT(batch.spans.activity, ElementsAre(1, 0));
  EXPECT_EQ(batch.activities.size(), 1U);
}

TEST_F(DeviceSpansTest, StreamsOfTwoContextsAreTwoLanesThoughTheirNumbersAgree) {
  DeviceRecord record = kernel(kNode, 2000, 2600);
  record.context = 1;
  spans_->add(record, nodes_);
  record.context = 2;
  spans_->add(record, nodes_);
  const TraceBatch batch = spans_->take();
  EXPECT_THAT(batch.spans.executor_lane, ElementsAre(7, 8));
  ASSERT_EQ(batch.lanes.size(), 2U);
  EXPECT_EQ(batch.lanes[0].name, "GPU 0 stream 19");
  EXPECT_EQ(batch.lanes[1].name, "GPU 0 stream 19 (context 2)");
}

TEST_F(DeviceSpansTest, ANodeWhoseKernelChangesGetsAnotherActivity) {
  spans_->add(kernel(kNode, 2000, 2600), nodes_);
  DeviceRecord changed = kernel(kNode, 3000, 3600);
  changed.name = "other";
  spans_->add(changed, nodes_);
  EXPECT_THAT(spans_->take().spans.activity, ElementsAre(0, 1));
}

TEST_F(DeviceSpansTest, WorkOfNobodyIsKeptAndToldByName) {
  DeviceRecord stray = kernel(0, 2000, 2600);
  stray.stream = 7;
  stray.correlation = 1234;
  spans_->add(stray, nodes_);
  spans_->add(stray, nodes_);
  const TraceBatch batch = spans_->take();
  ASSERT_EQ(batch.tasks.size(), 1U);
  EXPECT_EQ(batch.tasks[0].name, "unattributed/gemm");
  EXPECT_EQ(batch.tasks[0].op_kind, "UNATTRIBUTED");
  EXPECT_THAT(batch.spans.task, ElementsAre(2, 2));
  EXPECT_THAT(batch.spans.step, ElementsAre(-1, -1));
  EXPECT_THAT(batch.spans.lane, ElementsAre(7, 7));
  EXPECT_EQ(batch.activities.size(), 1U);
  ASSERT_EQ(spans_->findings().size(), 2U);
  EXPECT_EQ(spans_->findings()[0].name, "unattributed_work");
  EXPECT_EQ(spans_->findings()[0].count, 2);
  EXPECT_EQ(spans_->findings()[1].name, "legacy_stream_work");
}

TEST_F(DeviceSpansTest, AnActivityWithoutTimesIsListedAndNeverDrawn) {
  DeviceRecord none = kernel(kNode, 0, 0);
  none.begin_ns = none.end_ns = 0;
  spans_->add(none, nodes_);
  DeviceRecord backwards = kernel(kNode, 500, 400);
  spans_->add(backwards, nodes_);
  const TraceBatch batch = spans_->take();
  EXPECT_EQ(batch.spans.size(), 0U);
  ASSERT_EQ(batch.untimed.size(), 2U);
  EXPECT_EQ(batch.untimed[0].task, 1U);
  EXPECT_EQ(batch.untimed[0].step, 5);
  EXPECT_EQ(batch.untimed[1].raw_begin_ns, kUnix + 500);
  EXPECT_EQ(spans_->findings()[0].name, "untimed_activities");
  EXPECT_EQ(spans_->findings()[0].count, 2);
}

TEST_F(DeviceSpansTest, ALaunchThatNobodySawLeavesTheStepUnknownAndTheTaskKnown) {
  DeviceRecord record = kernel(kNode, 2000, 2600);
  record.correlation = 1;
  spans_->add(record, nodes_);
  const TraceBatch batch = spans_->take();
  EXPECT_THAT(batch.spans.task, ElementsAre(1));
  EXPECT_THAT(batch.spans.step, ElementsAre(-1));
  EXPECT_EQ(spans_->findings()[0].name, "unknown_step");
}

TEST_F(DeviceSpansTest, AKernelThatBeginsBeforeItsLaunchIsKeptAndTold) {
  spans_->add(kernel(kNode, 400, 700), nodes_);
  EXPECT_THAT(spans_->take().spans.begin_ns, ElementsAre(400));
  EXPECT_EQ(spans_->findings()[0].name, "clock_trouble");
  EXPECT_EQ(spans_->counts().most_early_ns, 600);
}

TEST_F(DeviceSpansTest, WorkThatBeginsLongBeforeItsLaunchCountsToTheLaunchOfItsGraphBeforeIt) {
  constexpr std::int64_t kLater = 900'000;
  spans_->launched(kLaunch + 1, {6, 3, 1, 2500});  // another graph
  spans_->launched(kLaunch + 2, {7, 3, 0, kLater});
  DeviceRecord record = kernel(kNode, 3000, 3500);
  record.correlation = kLaunch + 2;
  spans_->add(record, nodes_);
  record = kernel(kNode, kLater + 50, kLater + 90);
  record.correlation = kLaunch + 2;
  spans_->add(record, nodes_);
  const TraceBatch batch = spans_->take();
  EXPECT_THAT(batch.spans.task, ElementsAre(1, 1));
  EXPECT_THAT(batch.spans.step, ElementsAre(5, 7));
  EXPECT_THAT(batch.spans.correlation, ElementsAre(kLaunch, kLaunch + 2));
  ASSERT_EQ(spans_->findings().size(), 1U);
  EXPECT_EQ(spans_->findings()[0].name, "wrong_correlation");
  EXPECT_EQ(spans_->findings()[0].count, 1);
}

TEST_F(DeviceSpansTest, RecordsAreMappedThroughTheReadingsOfBothClocks) {
  spans_->calibrate({kDeviceClock, kUnix + 10'000, 10'000, 20});
  spans_->calibrate({kDeviceClock, kUnix + 30'000, 20'000, 20});  // twice as fast
  spans_->calibrate({kDeviceClock, kUnix + 30'000, 25'000, 20});  // no later: nothing to be learnt
  spans_->add(kernel(kNode, 20'000, 22'000), nodes_);
  const TraceBatch batch = spans_->take();
  EXPECT_THAT(batch.spans.begin_ns, ElementsAre(15'000));
  EXPECT_THAT(batch.spans.end_ns, ElementsAre(16'000));
  ASSERT_EQ(batch.clocks.size(), 2U);
  EXPECT_EQ(batch.clock_pairs.size(), 2U);
  // The policy's lane and the one where it ran.
  ASSERT_EQ(batch.lane_clocks.size(), 2U);
  EXPECT_EQ(batch.lane_clocks[0].lane, 1);
  EXPECT_EQ(batch.lane_clocks[1].lane, 7);
  EXPECT_EQ(batch.lane_clocks[0].clock, kDeviceClock);
  spans_->add(kernel(kNode, 24'000, 25'000), nodes_);
  EXPECT_TRUE(spans_->take().lane_clocks.empty());
  ASSERT_EQ(spans_->findings().size(), 1U);
  EXPECT_EQ(spans_->findings()[0].name, "clock_set_back");
}

TEST_F(DeviceSpansTest, WorkOfNoEarlierLaunchStaysWithTheOneThatItTells) {
  spans_->launched(kLaunch + 2, {7, 3, 0, 900'000});
  DeviceRecord record = kernel(kNode, 400, 500);
  record.correlation = kLaunch + 2;
  spans_->add(record, nodes_);
  const TraceBatch batch = spans_->take();
  EXPECT_THAT(batch.spans.step, ElementsAre(7));
  EXPECT_THAT(batch.spans.correlation, ElementsAre(kLaunch + 2));
  ASSERT_EQ(spans_->findings().size(), 1U);
  EXPECT_EQ(spans_->findings()[0].name, "clock_trouble");
}

TEST_F(DeviceSpansTest, ALaunchAsAWholeIsOneSpanOnTheLaneItWasLaunchedOn) {
  DeviceRecord record = kernel(0, 2000, 9000);
  record.kind = ActivityKind::graph;
  record.launch.reset();
  spans_->add(record, nodes_);
  const TraceBatch batch = spans_->take();
  ASSERT_EQ(batch.tasks.size(), 1U);
  EXPECT_EQ(batch.tasks[0].name, "launch/WHOLE_STEP_A@train");
  EXPECT_THAT(batch.spans.lane, ElementsAre(3));
  EXPECT_THAT(batch.spans.step, ElementsAre(5));
  EXPECT_TRUE(spans_->findings().empty());
}

}  // namespace
}  // namespace quintet
