// What the builder makes of facts that any format can tell: lanes, ids, clocks, steps, loss.

#include "profiler/import/trace_builder.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <optional>
#include <string>

#include "profiler/trace/clock_map.h"
#include "profiler/trace/span_order.h"
#include "tests/profiler/import/import_fixture.h"

namespace quintet {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kUnix = 1'795'980'990'000'000'000;

ImportedSpan kernel(std::uint16_t lane, std::int64_t begin, std::int64_t end,
                    std::uint32_t correlation = 0, std::string_view name = "gemm") {
  ImportedSpan span;
  span.activity.name = name;
  span.lane = lane;
  span.begin_ns = begin;
  span.end_ns = end;
  span.correlation = correlation;
  return span;
}

ImportedSpan call(std::uint16_t lane, std::int64_t begin, std::int64_t end,
                  std::uint32_t correlation, std::string_view name = "cudaLaunchKernel") {
  ImportedSpan span = kernel(lane, begin, end, correlation, name);
  span.activity.kind = ActivityKind::api_call;
  return span;
}

class Builder : public ::testing::Test {
 protected:
  std::uint16_t stream(std::int64_t id, ImportSourceId source) {
    return builder.lane({source, LaneRole::stream, 0, 0, id});
  }
  std::uint16_t thread(std::int64_t id, ImportSourceId source, std::int64_t process = 1234) {
    return builder.lane({source, LaneRole::thread, 0, process, id});
  }

  TraceBuilder builder;
  ImportSourceId file = builder.open_source("a.json", "chrome_json");
  std::uint16_t gpu = stream(7, file);
  std::uint16_t host = thread(1240, file);
};

TEST_F(Builder, GivesStreamsLanesBeforeThreadsAndNamesBoth) {
  const std::uint16_t other = builder.lane({file, LaneRole::stream, 0, 0, -1});
  builder.name_lane({file, LaneRole::thread, 0, 1234, 1240}, "python3");
  builder.add(kernel(gpu, 10, 20));
  builder.add(call(host, 5, 6, 1));
  builder.add(kernel(other, 30, 40));
  const Trace trace = *builder.finish();
  ASSERT_EQ(trace.lanes.size(), 3U);
  EXPECT_EQ(trace.lanes[0].name, "GPU 0 stream -1");
  EXPECT_EQ(trace.lanes[1].name, "GPU 0 stream 7");
  EXPECT_EQ(trace.lanes[2].name, "host 1234/1240 python3");
  EXPECT_EQ(trace.lanes[0].kind, LaneKind::stream);
  EXPECT_EQ(trace.lanes[2].kind, LaneKind::host);
  EXPECT_THAT(trace.spans.lane, ElementsAre(2, 1, 0));
  EXPECT_EQ(trace.spans.executor_lane, trace.spans.lane);
}

TEST_F(Builder, TellsWhoseClockEachLaneIsOf) {
  const ImportSourceId second = builder.open_source("b.json", "chrome_json");
  builder.add(kernel(gpu, 10, 20));
  builder.add(call(host, 5, 6, 1));
  builder.add(call(thread(1, second), 5, 6, 1));
  builder.add(call(thread(2, second), 5, 6, 1));
  const Trace trace = *builder.finish();
  ASSERT_EQ(trace.clocks.size(), 3U);
  EXPECT_EQ(trace.clocks[clock_of_lane(trace, 0)].name, "devices of a.json");
  EXPECT_EQ(trace.clocks[clock_of_lane(trace, 1)].name, "host of a.json");
  EXPECT_EQ(trace.clocks[clock_of_lane(trace, 2)].name, "host of b.json");
  EXPECT_EQ(clock_of_lane(trace, 3), clock_of_lane(trace, 2));
}

TEST_F(Builder, KeepsWhereWorkRanBesideWhereItWasPut) {
  ImportedSpan span = kernel(gpu, 20, 30);
  span.executor_lane = builder.lane({file, LaneRole::executor, 0, 0, 53});
  builder.add(span);
  builder.add(kernel(gpu, 10, 15));
  span.end_ns = 19;
  builder.add(span);
  const Trace trace = *builder.finish();
  EXPECT_THAT(trace.spans.executor_lane, ElementsAre(0, 1));
  EXPECT_EQ(trace.lanes[1].kind, LaneKind::executor);
  EXPECT_EQ(trace.untimed[0].executor_lane, 1);
}

TEST_F(Builder, SortsSpansThatComeInAnyOrderAndFillsEveryColumn) {
  for (const std::int64_t begin : {50, 10, 30, 10, 20})
    builder.add(kernel(gpu, begin, begin + 5));
  const Trace trace = *builder.finish();
  EXPECT_TRUE(spans_sorted(trace.spans));
  EXPECT_THAT(trace.spans.begin_ns, ElementsAre(10, 10, 20, 30, 50));
  EXPECT_EQ(trace.spans.cpu_ns, std::vector<std::int64_t>(5, -1));
  EXPECT_EQ(trace.spans.step.size(), 5U);
  EXPECT_EQ(trace.spans.begin_ns.capacity(), 5U);
  EXPECT_EQ(trace.spans.channel, std::vector<std::uint16_t>(5, kUnknownChannel));
}

TEST_F(Builder, MakesOneTaskOfANameAndOneActivityOfAShape) {
  ImportedSpan span = kernel(gpu, 1, 2);
  span.activity.launch = LaunchShape{{4, 1, 1}, {128, 1, 1}, 32, 0, 0, std::nullopt};
  builder.add(span);
  builder.add(span);
  span.activity.launch->grid[0] = 8;
  builder.add(span);
  span.activity.graph_node = 9007199254740993ULL;
  builder.add(span);
  const Trace trace = *builder.finish();
  ASSERT_EQ(trace.tasks.size(), 1U);
  EXPECT_EQ(trace.tasks[0].op_kind, "KERNEL");
  ASSERT_EQ(trace.activities.size(), 3U);
  EXPECT_EQ(trace.activities[2].graph_node, 9007199254740993ULL);
  EXPECT_THAT(trace.spans.activity, ElementsAre(0, 0, 1, 2));
}

TEST_F(Builder, TellsTheDirectionOfCopiesByTheirNames) {
  EXPECT_EQ(imported_op_kind(ActivityKind::memcpy, "Memcpy HtoD (Pinned -> Device)"),
            "MEMCPY_HTOD");
  EXPECT_EQ(imported_op_kind(ActivityKind::memcpy, "Memcpy DtoD (Device -> Device)"),
            "MEMCPY_DTOD");
  EXPECT_EQ(imported_op_kind(ActivityKind::memcpy, "copy"), "MEMCPY");
}

TEST_F(Builder, PlacesATaskOnlyWhereAllItsSpansShareALane) {
  builder.add(kernel(gpu, 1, 2, 0, "here"));
  builder.add(kernel(gpu, 3, 4, 0, "both"));
  builder.add(kernel(stream(20, file), 3, 4, 0, "both"));
  const Trace trace = *builder.finish();
  EXPECT_EQ(trace.tasks[0].policy_lane, LaneId(0));
  EXPECT_EQ(trace.tasks[1].policy_lane, std::nullopt);
}

TEST_F(Builder, KeepsAKernelThatBeginsBeforeItsLaunchAndTellsByHowMuch) {
  builder.add(call(host, 100, 110, 1));
  builder.add(call(host, 200, 210, 2));
  builder.add(kernel(gpu, 93, 120, 1));
  builder.add(kernel(gpu, 150, 160, 2));
  builder.add(kernel(gpu, 205, 220, 2));
  const Trace trace = *builder.finish();
  EXPECT_EQ(trace.spans.size(), 5U);
  ASSERT_TRUE(finding(trace, "negative_launch_latency"));
  EXPECT_EQ(counted(trace, "negative_launch_latency"), 2);
  EXPECT_NE(finding(trace, "negative_launch_latency")->message.find("50 ns"), std::string::npos);
}

TEST_F(Builder, JoinsWorkOfAGraphThatNamesALaterLaunchWithTheLatestOneBeforeIt) {
  constexpr std::uint64_t kNode = (std::uint64_t{4} << 32U) + 1;
  constexpr std::uint64_t kOther = (std::uint64_t{5} << 32U) + 1;
  const auto work = [&](std::int64_t begin, std::uint32_t correlation, std::uint64_t node) {
    ImportedSpan span = kernel(gpu, begin, begin + 10, correlation);
    span.activity.graph_node = node;
    builder.add(span);
  };
  for (const std::uint32_t correlation : {1U, 2U, 3U, 4U}) {
    const std::int64_t begin = correlation * 100'000;
    builder.add_step(file, {correlation, StepMark::step}, begin, begin + 100'000);
    builder.add(call(host, begin, begin + 10, correlation, "cudaGraphLaunch_v10000"));
  }
  work(120'000, 1, kNode);
  work(220'000, 2, kOther);
  work(260'000, 4, kNode);   // its graph was launched by 1, and perhaps by 3
  work(360'000, 4, kOther);  // 3 may have launched its graph
  work(50'000, 4, kNode);    // before every launch
  const Trace trace = *builder.finish();
  std::vector<std::uint32_t> correlations;
  std::vector<std::int32_t> steps;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    if (trace.tasks[trace.spans.task[span]].name != "gemm") continue;
    correlations.push_back(trace.spans.correlation[span]);
    steps.push_back(trace.spans.step[span]);
  }
  EXPECT_THAT(correlations, ElementsAre(4, 1, 2, 1, 3));
  EXPECT_THAT(steps, ElementsAre(4, 1, 2, 1, 3));
  EXPECT_EQ(counted(trace, "wrong_correlation"), 2);
  EXPECT_EQ(counted(trace, "negative_launch_latency"), 1);
}

TEST_F(Builder, KeepsAllKernelsOfOneGraphLaunch) {
  builder.add(call(host, 0, 10, 5, "cudaGraphLaunch_v10000"));
  for (int i = 0; i < 31; ++i)
    builder.add(kernel(gpu, 10 + i, 11 + i, 5));
  const Trace trace = *builder.finish();
  EXPECT_EQ(std::count(trace.spans.correlation.begin(), trace.spans.correlation.end(), 5U), 32);
  EXPECT_FALSE(finding(trace, "launch_not_recorded"));
}

TEST_F(Builder, KeepsWorkWhoseLaunchIsNotRecorded) {
  builder.add(kernel(gpu, 10, 11, 77));
  const Trace trace = *builder.finish();
  EXPECT_EQ(trace.spans.size(), 1U);
  EXPECT_EQ(counted(trace, "launch_not_recorded"), 1);
}

TEST_F(Builder, KeepsCorrelationsOfTwoFilesApart) {
  const ImportSourceId second = builder.open_source("b.json", "chrome_json");
  builder.add(call(host, 100, 110, 1));
  builder.add(kernel(gpu, 120, 130, 1));
  builder.add(call(thread(1240, second), 500, 510, 1));
  builder.add(kernel(stream(7, second), 520, 530, 1));
  const Trace trace = *builder.finish();
  EXPECT_THAT(trace.spans.correlation, ElementsAre(1, 1, 2, 2));
  EXPECT_FALSE(finding(trace, "negative_launch_latency"));
  EXPECT_EQ(trace.lanes.size(), 4U);
}

TEST_F(Builder, CountsCorrelationsAnewWhereTheyDoNotFitSideBySide) {
  const ImportSourceId second = builder.open_source("b.json", "chrome_json");
  builder.add(call(host, 100, 110, 0xFFFFFFFE));
  builder.add(kernel(gpu, 120, 130, 0xFFFFFFFE));
  builder.add(kernel(stream(7, second), 520, 530, 0xFFFFFFFE));
  const Trace trace = *builder.finish();
  EXPECT_EQ(trace.spans.correlation[0], trace.spans.correlation[1]);
  EXPECT_NE(trace.spans.correlation[1], trace.spans.correlation[2]);
}

TEST_F(Builder, KeepsCorrelationsOfTheProcessesOfOneFileApart) {
  const ImportSourceId nsys =
      builder.open_source("b.sqlite", "nsys_sqlite", CorrelationScope::process);
  builder.add(call(thread(1, nsys, 10), 100, 110, 1));
  builder.add(call(thread(1, nsys, 11), 500, 510, 1));
  builder.add(kernel(builder.lane({nsys, LaneRole::stream, 0, 10, 7}), 120, 130, 1));
  builder.add(kernel(builder.lane({nsys, LaneRole::stream, 0, 11, 7}), 520, 530, 1));
  const Trace trace = *builder.finish();
  EXPECT_EQ(trace.spans.correlation[0], trace.spans.correlation[1]);
  EXPECT_EQ(trace.spans.correlation[2], trace.spans.correlation[3]);
  EXPECT_NE(trace.spans.correlation[1], trace.spans.correlation[2]);
  EXPECT_FALSE(finding(trace, "negative_launch_latency"));
}

TEST_F(Builder, JoinsNothingWhereTwoProcessesOfAFileUseOneCorrelation) {
  builder.add(call(host, 100, 110, 1));
  builder.add(call(thread(1240, file, 99), 500, 510, 1));
  builder.add(kernel(gpu, 120, 130, 1));
  const Trace trace = *builder.finish();
  EXPECT_THAT(trace.spans.correlation, ElementsAre(0, 0, 0));
  EXPECT_EQ(counted(trace, "ambiguous_correlation"), 1);
}

TEST_F(Builder, ListsWhatHasNoTimesAsUntimedWithItsLaunch) {
  builder.add_step(file, {4, StepMark::step}, 50, 300);
  builder.add(call(host, 100, 110, 3));
  builder.add_untimed(kernel(gpu, 0, 0, 3));
  builder.add(kernel(gpu, 20, 10, 3));
  const Trace trace = *builder.finish();
  EXPECT_EQ(trace.spans.size(), 1U);
  ASSERT_EQ(trace.untimed.size(), 2U);
  EXPECT_EQ(trace.untimed[0].correlation, 3U);
  EXPECT_EQ(trace.untimed[0].step, 4);
  EXPECT_EQ(trace.untimed[1].raw_begin_ns, 20);
  EXPECT_EQ(trace.untimed[1].raw_end_ns, 10);
  EXPECT_EQ(counted(trace, "untimed_activities"), 1);
  EXPECT_EQ(counted(trace, "negative_duration"), 1);
  EXPECT_FALSE(finding(trace, "no_device_work")) << "untimed work is work";
}

TEST_F(Builder, ListsTimesThatNoClockTellsAsUntimed) {
  builder.set_clock_offset(file, kUnix);
  builder.add(kernel(gpu, -kUnix - 1, 5));
  builder.add(kernel(gpu, 5, INT64_MAX));
  builder.add(kernel(gpu, 5, 1LL << 62));
  builder.add(kernel(gpu, -5, 6));
  const Trace trace = *builder.finish();
  EXPECT_THAT(trace.spans.begin_ns, ElementsAre(kUnix - 5));
  EXPECT_EQ(trace.untimed.size(), 3U);
  EXPECT_EQ(counted(trace, "time_out_of_range"), 3);
  EXPECT_EQ(trace.provenance.at("clock_realtime_offset_ns"), "0");
}

TEST_F(Builder, DoesNotCallAClockThatBeginsAtZeroUnixTime) {
  builder.add(kernel(gpu, 5, 6));
  EXPECT_FALSE(builder.finish()->provenance.contains("clock_realtime_offset_ns"));
}

TEST_F(Builder, GivesWorkTheStepThatLaunchedIt) {
  builder.add_step(file, {11, StepMark::step}, 200, 300);
  builder.add_step(file, {10, StepMark::step}, 100, 200);
  builder.add(call(host, 150, 151, 1));
  builder.add(kernel(gpu, 250, 260, 1));
  builder.add(kernel(gpu, 270, 280));
  builder.add(kernel(gpu, 300, 310));
  const Trace trace = *builder.finish();
  EXPECT_THAT(trace.spans.step, ElementsAre(10, 10, 11, -1));
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.steps[0].step, 10);
  EXPECT_EQ(trace.steps[0].phase, "train");
  EXPECT_EQ(trace.steps[0].shape, "imported");
}

TEST_F(Builder, CountsTheWholeRangeAsOneStepWhereNoneIsNamed) {
  builder.add(kernel(gpu, 30, 60));
  builder.add(call(host, 10, 20, 0));
  const Trace trace = *builder.finish();
  ASSERT_EQ(trace.steps.size(), 1U);
  EXPECT_EQ(trace.steps[0].begin_ns, 10);
  EXPECT_EQ(trace.steps[0].end_ns, 60);
  EXPECT_EQ(counted(trace, "no_steps"), 1);
}

TEST_F(Builder, MergesAStepOfTwoRanksAndBelievesAFileOnce) {
  const ImportSourceId second = builder.open_source("b.json", "chrome_json");
  builder.add_step(file, {3, StepMark::step}, 100, 200);
  builder.add_step(second, {3, StepMark::step}, 90, 220);
  builder.add_step(second, {3, StepMark::step}, 500, 600);
  builder.add_step(file, {-1, StepMark::step}, 1, 2);
  const Trace trace = *builder.finish();
  ASSERT_EQ(trace.steps.size(), 1U);
  EXPECT_EQ(trace.steps[0].begin_ns, 90);
  EXPECT_EQ(trace.steps[0].end_ns, 220);
  EXPECT_EQ(counted(trace, "repeated_step"), 1);
  EXPECT_EQ(counted(trace, "impossible_step"), 1);
}

TEST_F(Builder, TellsRanksApartInTheLaneTable) {
  const ImportSourceId second = builder.open_source("b.json", "chrome_json");
  builder.set_rank(file, 1);
  builder.set_rank(second, 0);
  builder.add(kernel(gpu, 1, 2));
  builder.add(kernel(stream(7, second), 1, 2));
  const Trace trace = *builder.finish();
  EXPECT_EQ(trace.lanes[0].name, "rank 0 GPU 0 stream 7");
  EXPECT_EQ(trace.lanes[0].rank, 0);
  EXPECT_EQ(trace.lanes[1].name, "rank 1 GPU 0 stream 7");
  EXPECT_EQ(trace.lanes[1].rank, 1);
  EXPECT_FALSE(finding(trace, "rank_unknown"));
}

TEST_F(Builder, CountsFilesThatDoNotTellTheirRank) {
  builder.open_source("b.json", "chrome_json");
  EXPECT_EQ(counted(*builder.finish(), "rank_unknown"), 2);
}

TEST_F(Builder, FailsLoudlyWhereLaunchesWereSeenAndNoWorkOfADevice) {
  builder.add(call(host, 1, 2, 1));
  const Trace trace = *builder.finish();
  ASSERT_TRUE(finding(trace, "no_device_work"));
  EXPECT_EQ(finding(trace, "no_device_work")->severity, Severity::error);
}

TEST_F(Builder, TellsThatTheWorkOfAGraphWasNotRecorded) {
  builder.add(call(host, 1, 2, 1, "cudaGraphLaunch_v10000"));
  builder.add(call(host, 3, 4, 2, "cudaGraphLaunch_v10000"));
  builder.add(kernel(gpu, 5, 6, 2));
  EXPECT_EQ(counted(*builder.finish(), "graph_nodes_not_recorded"), 1);
}

TEST_F(Builder, AnswersInThreeWaysWhetherGraphNodesAreTold) {
  builder.note_graph_node_ids(GraphNodeIds::carried);
  builder.note_graph_node_ids(GraphNodeIds::none);
  EXPECT_EQ(builder.finish()->provenance.at("graph_node_ids"), "carried");
  EXPECT_EQ(TraceBuilder().finish()->provenance.at("graph_node_ids"), "unknown");
}

TEST_F(Builder, GivesAValidEmptyTraceWhereNothingWasRecorded) {
  TraceBuilder nothing;
  nothing.open_source("a.json", "chrome_json");
  const Trace trace = *nothing.finish();
  EXPECT_EQ(trace.spans.size(), 0U);
  EXPECT_TRUE(trace.steps.empty());
  EXPECT_EQ(counted(trace, "no_activities"), 1);
}

TEST_F(Builder, TakesTheSurestMarksOfStepsThatAFileUses) {
  const ImportSourceId second = builder.open_source("b.json", "chrome_json");
  builder.add_step(file, {0, StepMark::step}, 0, 500);
  builder.add_step(file, {7, StepMark::profiler_step}, 100, 200);
  builder.add_step(second, {8, StepMark::iteration}, 200, 300);
  builder.add(kernel(gpu, 110, 120));
  const Trace trace = *builder.finish();
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.steps[0].step, 7);
  EXPECT_EQ(trace.steps[1].step, 8);
  EXPECT_EQ(counted(trace, "other_step_marks"), 1);
}

TEST_F(Builder, SharesALaneBetweenWhatIsBeyondTheLastOne) {
  for (std::int64_t id = 0; id < 70'000; ++id)
    builder.add(kernel(stream(100 + id, file), id, id + 1));
  const Trace trace = *builder.finish();
  EXPECT_EQ(trace.spans.size(), 70'000U);
  EXPECT_EQ(trace.lanes.size(), LaneBook::kMostLanes + 1);
  EXPECT_EQ(counted(trace, "too_many_lanes"), 70'002 - 60'000);
}

}  // namespace
}  // namespace quintet
