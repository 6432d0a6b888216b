#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "profiler/metrics/metric_catalog.h"
#include "profiler/metrics/pair_overlap_metric.h"
#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"
#include "tests/support/gpu_trace.h"

namespace quintet {
namespace {

MetricValue gpu_metric(const Trace& trace, const std::string& tag) {
  const auto metrics = compute_metrics(trace);
  const MetricValue* found = find_metric(metrics, tag);
  if (found == nullptr) {
    ADD_FAILURE() << "no gpu_metric " << tag;
    return {};
  }
  return *found;
}

void expect_value(const Trace& trace, const std::string& tag, double value) {
  const MetricValue found = gpu_metric(trace, tag);
  EXPECT_EQ(found.state, MetricState::known) << tag << ": " << found.reason;
  EXPECT_DOUBLE_EQ(found.value, value) << tag;
}

TEST(GpuMetrics, BusyTimeIsAUnionOfKernelsOnTheLanesOfThePolicy) {
  const Trace trace = gpu_trace(GpuStepMode::whole_step);
  expect_value(trace, "step/time", 8000);
  expect_value(trace, "step/timed", 4);
  expect_value(trace, "lane/COMP/busy", 3900);
  expect_value(trace, "lane/UPDATE/busy", 1400);
  expect_value(trace, "lane/TRANS/busy", 1000);
  // The copy lies beneath bwd, nothing else overlaps.
  expect_value(trace, "utilisation/any", 5300.0 / 8000);
  expect_value(trace, "hidden/transfer", 1000.0 / 1200);
  EXPECT_EQ(find_metric(compute_metrics(trace), "lane/GPU 0 queue 13/busy"), nullptr);
  EXPECT_EQ(gpu_metric(trace, "concurrency/cpu").state, MetricState::absent);
}

TEST(GpuMetrics, MultiprocessorUseIntegratesOverTimeAndStaysWithinOne) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  // 0.5 * 1000 + 500, then 2000 with gemm and reduce together at 1, 0.25 * 400, 500 + 0.5 * 500
  expect_value(trace, "sm/efficiency", 3850.0 / 8000);
  expect_value(trace, "bound/sm_area", 3850);
  expect_value(trace, "sm/occupancy", 0.45);
  for (TraceActivity& activity : trace.activities) {
    if (activity.launch) activity.launch->grid = {70'000, 60'000, 60'000};
  }
  for (std::int64_t& end : trace.spans.end_ns)
    end += 3000;  // everything overlaps
  const MetricValue crowded = gpu_metric(trace, "sm/efficiency");
  EXPECT_GT(crowded.value, 0.9);
  EXPECT_LE(crowded.value, 1);
  EXPECT_LE(gpu_metric(trace, "bound/efficiency").value, 1);
}

TEST(GpuMetrics, MultiprocessorUseIsUnknownWithoutTheirNumberOrAGrid) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.provenance.erase("multiprocessors");
  EXPECT_EQ(gpu_metric(trace, "sm/efficiency").state, MetricState::unknown);
  EXPECT_NE(gpu_metric(trace, "sm/efficiency").reason.find("multiprocessors"), std::string::npos);
  trace.provenance["multiprocessors"] = "many";
  EXPECT_EQ(gpu_metric(trace, "bound/sm_area").state, MetricState::unknown);
  trace.provenance["multiprocessors"] = "132";
  trace.activities[2].launch.reset();
  EXPECT_NE(gpu_metric(trace, "sm/efficiency").reason.find("grid"), std::string::npos);
  EXPECT_TRUE(gpu_metric(trace, "sm/occupancy").known());
}

TEST(GpuMetrics, BoundsRunThroughLaunchCalls) {
  const Trace whole = gpu_trace(GpuStepMode::whole_step);
  expect_value(whole, "bound/critical_path", 5400);
  expect_value(whole, "bound/call_path", 0);
  expect_value(whole, "bound/data_path", 5200);
  expect_value(whole, "bound/efficiency", 5200.0 / 8000);
  const Trace parts = gpu_trace(GpuStepMode::sub_graphs);
  expect_value(parts, "bound/critical_path", 6840);
  expect_value(parts, "bound/call_path", 1440);
}

TEST(GpuMetrics, CopiesHaveABandwidthByDirection) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  expect_value(trace, "transfer/host_to_device/bandwidth", 64e9);
  expect_value(trace, "transfer/device_to_host/bandwidth", 64 / 200e-9);
  EXPECT_EQ(gpu_metric(trace, "transfer/within_device/bandwidth").state, MetricState::absent);
  trace.activities[0].bytes.reset();
  EXPECT_EQ(gpu_metric(trace, "transfer/host_to_device/bandwidth").state, MetricState::unknown);
  expect_value(imported_trace(), "transfer/host_to_device/bandwidth", 1000 / 200e-9);
}

TEST(GpuMetrics, CountsPerStep) {
  const Trace whole = gpu_trace(GpuStepMode::whole_step);
  expect_value(whole, "device/kernels", 6);
  expect_value(whole, "device/memcpys", 2);
  expect_value(whole, "device/memsets", 1);
  expect_value(whole, "launch/count", 1);
  expect_value(gpu_trace(GpuStepMode::sub_graphs), "launch/count", 4);
  expect_value(gpu_trace(GpuStepMode::sub_graphs), "host_sync/count", 2);
}

TEST(GpuMetrics, LaunchesBelongToTheStepTheyServeHoweverFarTheHostRunsAhead) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  for (TraceLaunch& launch : trace.launches) {
    launch.begin_ns = 10 * launch.step;  // all launched at once
    launch.end_ns = launch.begin_ns + 10;
  }
  const MetricValue launches = gpu_metric(trace, "launch/count");
  EXPECT_EQ(launches.value, 1);
  EXPECT_EQ(launches.spread->p05, 1);
}

TEST(GpuMetrics, RatesCountEachTaskOnceHoweverManyKernelsItHas) {
  const Trace trace = gpu_trace(GpuStepMode::whole_step);
  expect_value(trace, "rate/flops", 3.1e6 * 1e9 / 8000);
  expect_value(trace, "rate/bytes", 6000.0 * 1e9 / 8000);
  EXPECT_EQ(gpu_metric(imported_trace(), "rate/flops").state, MetricState::unknown);
}

TEST(GpuMetrics, LaunchesAreTimedWithoutTheOverheadThatIsReportedMeanwhile) {
  Trace trace = gpu_trace(GpuStepMode::sub_graphs);
  const double before = gpu_metric(trace, "launch/time").value;
  const auto lane = static_cast<std::uint16_t>(trace.lanes.size());
  trace.lanes.push_back({LaneId(lane), "overhead", LaneKind::host, 0, 0, 0});
  for (const char* name : {"overhead/buffer request", "overhead/Buffer Flush"}) {
    TraceTask task;
    task.name = name;
    task.op_kind = "HOST_OVERHEAD";
    const auto index = static_cast<std::uint32_t>(trace.tasks.size());
    trace.tasks.push_back(task);
    for (std::int64_t step = 0; step < 6; ++step) {
      // Within the launch of DEEP, [400, 950), and around its end; a flush holds nobody up.
      append_span(trace.spans, {8000 * step + 500, 8000 * step + 700, -1, index, -1, lane, lane});
      append_span(trace.spans, {8000 * step + 900, 8000 * step + 990, -1, index, -1, lane, lane});
    }
  }
  sort_spans(trace.spans);
  EXPECT_EQ(gpu_metric(trace, "launch/time").value, before - 200 - 50);
  expect_value(trace, "launch/held_up", 1);
}

TEST(GpuMetrics, WhatWasDroppedIsUnknownUnlessItWasCounted) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  EXPECT_EQ(gpu_metric(trace, "record/dropped").state, MetricState::unknown);
  trace.provenance["dropped_spans"] = "CUPTI_ERROR_NOT_COMPATIBLE";
  EXPECT_EQ(gpu_metric(trace, "record/dropped").state, MetricState::unknown);
  EXPECT_NE(gpu_metric(trace, "record/dropped").reason.find("NOT_COMPATIBLE"), std::string::npos);
  trace.provenance["dropped_spans"] = "17";
  expect_value(trace, "record/dropped", 17);
  trace.findings = {{Severity::data_loss, "dropped_records", "the driver dropped 3 records", 3}};
  expect_value(trace, "record/dropped", 20);
  trace.findings = {{Severity::data_loss, "dropped_records_unknown", "it would not say", 1}};
  EXPECT_EQ(gpu_metric(trace, "record/dropped").state, MetricState::unknown);
}

TEST(GpuMetrics, UnattributedAndUntimedWorkIsCounted) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  expect_value(trace, "record/unattributed", 0);
  trace.tasks.push_back(trace.tasks[kGpuOpt]);
  trace.tasks.back().op_kind = "UNATTRIBUTED";
  trace.spans.task[1] = trace.spans.task[2] = 6;
  trace.untimed.push_back({6, 2, 1, 4, 1, 300, 0, 0});
  expect_value(trace, "record/unattributed", 3);
  expect_value(trace, "record/untimed", 1);
  EXPECT_EQ(gpu_metric(imported_trace(), "record/unattributed").state, MetricState::absent);
}

TEST(GpuMetrics, ColumnsOfGraphNodesWithoutValuesChangeNothing) {
  // Imports may carry the columns and nothing in them: rows decide.
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  for (TraceActivity& activity : trace.activities)
    activity.graph_node.reset();
  expect_value(trace, "utilisation/any", 5300.0 / 8000);
}

TEST(GpuMetrics, AGraphOfWhichOnlyTheFirstIterationWasRecordedIsNotIdleAfterIt) {
  // A loop of a graph: its whole launch and the kernels of one iteration, as told.
  Trace trace = imported_trace();
  trace.activities.push_back({ActivityKind::graph, "loop", {}, {}, {}, {}});
  trace.tasks.push_back({});
  trace.tasks.back().op_kind = "GRAPH";
  for (std::int32_t step = 0; step < 2; ++step)
    append_span(trace.spans, {1000 * step + 100, 1000 * step + 900, -1, 5, step, 0, 0, 5, 10});
  const MetricValue any = gpu_metric(trace, "utilisation/any");
  EXPECT_EQ(any.state, MetricState::unknown);
  EXPECT_NE(any.reason.find("node records absent"), std::string::npos);
  EXPECT_DOUBLE_EQ(gpu_metric(trace, "utilisation/at_most").value,
                   (800.0 / 900 + 1000.0 / 1200) / 2);
  EXPECT_EQ(gpu_metric(trace, "wait/nothing_to_do").state, MetricState::unknown);
}

TEST(GpuMetrics, NothingIsNegativeWhereClocksRunBackwards) {
  Trace trace = gpu_trace(GpuStepMode::sub_graphs);
  for (TraceLaunch& launch : trace.launches)
    launch.end_ns = launch.begin_ns - 50;
  for (TraceHostWait& wait : trace.host_waits)
    wait.end_ns = wait.begin_ns - 50;
  for (std::size_t span = 0; span < trace.spans.size(); span += 4)
    trace.spans.begin_ns[span] -= 900;  // before its launch, and over its neighbours
  for (const MetricValue& value : compute_metrics(trace))
    EXPECT_GE(value.value, 0) << value.tag();
}

TEST(GpuMetrics, ShortImportsAreMeasuredOverAllTheirSteps) {
  const Trace trace = imported_trace();
  expect_value(trace, "step/timed", 2);
  // [0, 900) with work in [100, 400), [450, 500), [600, 900); then 1200 ns with 850 ns of it
  expect_value(trace, "utilisation/any", (650.0 / 900 + 850.0 / 1200) / 2);
  expect_value(trace, "launch/count", 4);
  for (const char* tag : {"step/throughput", "bound/data_path", "bound/efficiency"})
    EXPECT_EQ(gpu_metric(trace, tag).state, MetricState::unknown) << tag;
  EXPECT_NE(gpu_metric(trace, "step/time").definition.description.find("too few"),
            std::string::npos);
}

TEST(GpuMetrics, OfManyStreamsThePairsOfTheBusiestAreListed) {
  Trace trace = imported_trace();
  for (std::uint32_t lane = 3; lane < 103; ++lane) {
    trace.lanes.push_back(
        {LaneId(lane), "GPU 0 stream " + std::to_string(100 + lane), LaneKind::stream, 0, 0, 0});
    const auto on = static_cast<std::uint16_t>(lane);
    append_span(trace.spans, {700, 700 + lane, -1, 0, 0, on, on, 0});
  }
  std::size_t pairs = 0;
  for (const MetricValue& value : compute_metrics(trace))
    pairs += value.tag().starts_with("overlap/GPU") ? 1 : 0;
  EXPECT_EQ(pairs, kPairLanes * (kPairLanes - 1) / 2);
  expect_value(trace, "overlap/lanes_left_out", 102 - kPairLanes);
}

TEST(GpuMetrics, EveryMetricSaysWhatItMeansAndSharesStayWithinOne) {
  Trace empty_import = imported_trace();
  empty_import.steps.clear();
  for (const Trace& trace : {gpu_trace(GpuStepMode::whole_step), gpu_trace(GpuStepMode::sub_graphs),
                             imported_trace(), empty_import}) {
    std::set<std::string> tags;
    for (const MetricValue& value : compute_metrics(trace)) {
      EXPECT_TRUE(tags.insert(value.tag()).second) << value.tag() << " twice";
      EXPECT_TRUE(value.definition.description.ends_with(".")) << value.tag();
      EXPECT_TRUE(std::isfinite(value.value)) << value.tag();
      EXPECT_EQ(value.known(), value.reason.empty()) << value.tag();
      if (value.definition.hint != MetricHint::percentage) continue;
      EXPECT_GE(value.value, 0) << value.tag();
      EXPECT_LE(value.value, 1) << value.tag();
    }
  }
}

}  // namespace
}  // namespace quintet
