#include "profiler/analysis/device_summary.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_batch.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

/// Two devices of one host, and a thread: lanes 0 and 1 are streams of device 0, lane 2 is one of
/// device 1, lane 3 is the host. Activities in the order of ActivityKind.
Trace devices() {
  Trace trace;
  trace.lanes = {{LaneId(0), "GPU 0 stream 7", LaneKind::stream, 0, 0, 0},
                 {LaneId(1), "GPU 0 stream 8", LaneKind::stream, 0, 0, 0},
                 {LaneId(2), "GPU 1 stream 7", LaneKind::stream, 1, 0, 0},
                 {LaneId(3), "host 1/1", LaneKind::host, 0, 0, 0}};
  for (const ActivityKind kind :
       {ActivityKind::kernel, ActivityKind::memcpy, ActivityKind::memset, ActivityKind::graph,
        ActivityKind::host_range, ActivityKind::api_call}) {
    TraceActivity activity;
    activity.kind = kind;
    activity.name = name_of(kind);
    trace.activities.push_back(activity);
    TraceTask task;
    task.name = name_of(kind);
    trace.tasks.push_back(task);
  }
  return trace;
}

void add(Trace& trace, std::int64_t begin, std::int64_t end, std::uint16_t lane,
         ActivityKind kind) {
  const auto index = static_cast<std::uint32_t>(kind);
  append_span(trace.spans, {begin, end, -1, index, 0, lane, lane, index});
}

TEST(DeviceSummary, CountsKindsAndMeasuresUnionsPerDeviceAndTogether) {
  Trace trace = devices();
  add(trace, 100, 200, 0, ActivityKind::kernel);
  add(trace, 150, 250, 1, ActivityKind::kernel);
  add(trace, 150, 160, 0, ActivityKind::memset);  // on the stream of a running kernel
  add(trace, 400, 500, 1, ActivityKind::memcpy);
  add(trace, 450, 700, 2, ActivityKind::kernel);
  add(trace, 0, 1000, 3, ActivityKind::host_range);
  add(trace, 90, 95, 3, ActivityKind::api_call);
  const DeviceWork work = summarise_devices(trace);
  EXPECT_EQ(work.record, DeviceWorkRecord::nodes);
  EXPECT_EQ(work.all.timed, (DeviceCounts{3, 1, 1}));
  EXPECT_EQ(work.all.first_begin_ns, 100);
  EXPECT_EQ(work.all.span_ns(), 600);
  EXPECT_EQ(work.all.busy_ns, 150 + 300);
  EXPECT_EQ(work.all.sum_ns, 100 + 100 + 10 + 100 + 250);
  EXPECT_EQ(work.all.most_at_once, 3U);
  ASSERT_EQ(work.devices.size(), 2U);
  EXPECT_EQ(work.devices[0].timed, (DeviceCounts{2, 1, 1}));
  EXPECT_EQ(work.devices[0].busy_ns, 250);
  EXPECT_EQ(work.devices[0].span_ns(), 400);
  EXPECT_EQ(work.devices[1].device, 1);
  EXPECT_EQ(work.devices[1].busy_ns, 250);
  EXPECT_EQ(work.devices[1].most_at_once, 1U);
}

TEST(DeviceSummary, WhereWorkRanCountsNotWhereAPolicyPutIt) {
  Trace trace = devices();
  add(trace, 0, 10, 0, ActivityKind::kernel);
  trace.spans.executor_lane[0] = 2;
  const DeviceWork work = summarise_devices(trace);
  ASSERT_EQ(work.devices.size(), 1U);
  EXPECT_EQ(work.devices[0].device, 1);
}

TEST(DeviceSummary, UntimedActivitiesCountApartAndStretchNothing) {
  Trace trace = devices();
  add(trace, 1'000'000, 1'000'100, 0, ActivityKind::kernel);
  // As the device told them: both zero, and an end before the begin.
  trace.untimed.push_back({0, -1, 0, 0, static_cast<std::uint32_t>(ActivityKind::kernel), 7, 0, 0});
  trace.untimed.push_back({1, -1, 0, 0, static_cast<std::uint32_t>(ActivityKind::memcpy), 8, 9, 3});
  const DeviceWork work = summarise_devices(trace);
  EXPECT_EQ(work.all.timed, (DeviceCounts{1, 0, 0}));
  EXPECT_EQ(work.all.untimed, (DeviceCounts{1, 1, 0}));
  EXPECT_EQ(work.all.first_begin_ns, 1'000'000);
  EXPECT_EQ(work.all.span_ns(), 100);
}

TEST(DeviceSummary, KernelsOfOneStreamThatOverlapAreBusyOnce) {
  Trace trace = devices();
  add(trace, 0, 100, 0, ActivityKind::kernel);
  add(trace, 80, 150, 0, ActivityKind::kernel);  // launched before the first has ended
  const DeviceWork work = summarise_devices(trace);
  EXPECT_EQ(work.all.busy_ns, 150);
  EXPECT_EQ(work.all.sum_ns, 170);
  EXPECT_EQ(work.all.most_at_once, 2U);
}

TEST(DeviceSummary, WithoutADeviceItIsAbsent) {
  EXPECT_EQ(summarise_devices(Trace()).record, DeviceWorkRecord::absent);
  const DeviceWork host = summarise_devices(tiny_trace());
  EXPECT_EQ(host.record, DeviceWorkRecord::absent);
  EXPECT_EQ(host.all.timed.total(), 0);
  EXPECT_FALSE(reason_of(host.record).empty());
}

TEST(DeviceSummary, WholeLaunchesOfGraphsBoundTheBusyTimeFromAbove) {
  Trace trace = devices();
  add(trace, 0, 700, 0, ActivityKind::graph);
  add(trace, 600, 900, 1, ActivityKind::graph);
  DeviceWork work = summarise_devices(trace);
  EXPECT_EQ(work.record, DeviceWorkRecord::graphs_only);
  EXPECT_EQ(work.all.busy_ns, 0);
  EXPECT_EQ(work.all.graph_launches, 2);
  EXPECT_EQ(work.all.graph_busy_ns, 900);
  add(trace, 950, 1000, 0, ActivityKind::memcpy);
  work = summarise_devices(trace);
  EXPECT_EQ(work.record, DeviceWorkRecord::mixed);
  EXPECT_EQ(work.all.graph_busy_ns, 950);
  EXPECT_NE(reason_of(work.record).find("node records absent"), std::string::npos);
}

TEST(DeviceSummary, LaunchesOfWhichNothingWasRecordedAreNoIdleDevice) {
  Trace trace = devices();
  trace.activities[static_cast<std::size_t>(ActivityKind::api_call)].name =
      "cudaGraphLaunch_v10000";
  add(trace, 0, 5, 3, ActivityKind::api_call);
  EXPECT_EQ(summarise_devices(trace).record, DeviceWorkRecord::missing);
  Trace ours = tiny_trace();
  ours.spans = {};
  EXPECT_EQ(summarise_devices(ours).record, DeviceWorkRecord::missing);
}

}  // namespace
}  // namespace quintet
