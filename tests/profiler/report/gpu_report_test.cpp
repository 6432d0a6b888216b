#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

#include "profiler/report/csv_report.h"
#include "profiler/report/format.h"
#include "profiler/report/html_report.h"
#include "profiler/report/json_report.h"
#include "profiler/report/terminal_timeline.h"
#include "profiler/report/text_report.h"
#include "profiler/trace/trace_batch.h"
#include "tests/profiler/report/golden.h"
#include "tests/support/gpu_trace.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

Trace slowed(double factor) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.provenance["untraced_step_ns"] = "1000";
  trace.provenance["traced_step_ns"] = format_number(1000 * factor);
  std::erase(trace.provenance["traced_step_ns"], ',');
  return trace;
}

TEST(GpuReport, IsWhatAPersonLastAccepted) {
  expect_golden("gpu.txt", text_report(build_report(gpu_trace(GpuStepMode::sub_graphs))));
  expect_golden("imported.txt", text_report(build_report(imported_trace())));
}

TEST(GpuReport, BeginsWithTitleMemoAndHardware) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.provenance["title"] = "After the move of the weights";
  trace.provenance["memo"] = "second try, fans at full speed";
  trace.provenance["cpu"] = "AMD EPYC, 16 cores";
  trace.provenance["cuda_driver"] = "13.0";
  trace.provenance["cuda_runtime"] = "13.0";
  trace.provenance["cudnn"] = "9.19.0";
  const std::string text = text_report(build_report(trace));
  EXPECT_TRUE(
      text.starts_with("After the move of the weights\n"
                       "  scenario    gpu\n"
                       "  memo        second try, fans at full speed\n"))
      << text.substr(0, 200);
  EXPECT_THAT(text, HasSubstr("  cpu         AMD EPYC, 16 cores\n"));
  EXPECT_THAT(text, HasSubstr("  gpu         NVIDIA H200, 132 multiprocessors, driver 13.0, CUDA "
                              "13.0, cuDNN 9.19.0\n"));
  trace.provenance["connections"] = "default";
  EXPECT_EQ(text_report(build_report(trace)), text);
  trace.provenance["connections"] = "2";
  EXPECT_THAT(text_report(build_report(trace)),
              HasSubstr("132 multiprocessors, 2 connections, driver 13.0"));
}

TEST(GpuReport, SaysHowFarTheClocksDrifted) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.clocks = {{"host"}, {"device, by CUPTI"}};
  trace.lane_clocks = {{kGpuComp, 1}, {kGpuTrans, 1}};
  trace.clock_pairs = {
      {1, 1'000'000, 0, 20}, {1, 2'001'500, 1'000'000, 20}, {1, 3'001'200, 2'000'000, 20}};
  const Report report = build_report(trace);
  EXPECT_THAT(
      text_report(report),
      HasSubstr("  clocks      device, by CUPTI drifted 1.20 us in 2.00 ms, at most 1.50 us "
                "(3 readings)\n"));
  const OrderedJson clock = report_json(report)["clocks"].at(0);
  EXPECT_EQ(clock["lanes"], 2);
  EXPECT_EQ(clock["drift_ns"], 1200);
  trace.clock_pairs.resize(1);
  EXPECT_TRUE(report_json(build_report(trace))["clocks"].at(0)["drift_ns"].is_null());
}

TEST(GpuReport, TasksOfSeveralKernelsAreBusyOnce) {
  const Report report = build_report(gpu_trace(GpuStepMode::whole_step));
  const auto bwd = std::find_if(report.tasks.begin(), report.tasks.end(),
                                [](const ReportTask& task) { return task.index == kGpuBwd; });
  ASSERT_NE(bwd, report.tasks.end());
  EXPECT_EQ(bwd->time_ns.median, 2400);
  EXPECT_EQ(bwd->runs, 4U);
  EXPECT_DOUBLE_EQ(bwd->share, 0.3);
  EXPECT_EQ(bwd->critical, 1);
  EXPECT_EQ(report.layers.front().name, "fc1");
  EXPECT_EQ(report.layers.front().time_ns, 1500 + 2400);
}

TEST(GpuReport, HasATableOfKernelsByName) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.activities[3].name = "gemm_fwd";  // the same kernel in another shape
  const DeviceTables tables = build_report(trace).device_tables;
  EXPECT_EQ(tables.steps, 4U);
  ASSERT_EQ(tables.kernels.size(), 5U);
  const ReportKernel& gemm = tables.kernels.front();
  EXPECT_EQ(gemm.name, "gemm_fwd");
  EXPECT_EQ(gemm.count, 2);
  EXPECT_EQ(gemm.time_ns, 3000);
  EXPECT_EQ(gemm.mean_ns, 1500);
  EXPECT_DOUBLE_EQ(gemm.share, 0.6);
  EXPECT_EQ(gemm.shapes, 2U);
  ASSERT_TRUE(gemm.launch);
  EXPECT_EQ(gemm.launch->grid[0], 132U);  // that of the longer one
  ASSERT_EQ(tables.streams.size(), 3U);
  EXPECT_EQ(tables.streams[kGpuComp].kernels, 4);
  EXPECT_EQ(tables.streams[kGpuComp].busy_ns, 3900);
  EXPECT_EQ(tables.streams[kGpuUpdate].memsets, 1);
}

TEST(GpuReport, WithoutTimedStepsKernelsAreCountedOverTheWholeRecording) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.steps.clear();
  const Report report = build_report(trace);
  EXPECT_EQ(report.device_tables.steps, 0U);
  EXPECT_EQ(report.device_tables.kernels.front().count, 6);
  EXPECT_THAT(text_report(report), HasSubstr("Kernels, whole recording"));
}

TEST(GpuReport, SaysWhereverSpansAreShownThatRecordingSlowedTheSteps) {
  const Report report = build_report(slowed(1.71));
  const std::string notice = "recording made the steps 1.71x as long";
  EXPECT_THAT(text_report(report), HasSubstr(notice));
  EXPECT_THAT(terminal_timeline(report, report.timelines.front(), {100, false}), HasSubstr(notice));
  EXPECT_THAT(html_report(report), HasSubstr(notice));
  const auto probe = report_json(report).at("probe_effect");
  EXPECT_EQ(probe.at("slowdown"), 1.71);
  EXPECT_EQ(probe.at("distorted"), true);
  EXPECT_THAT(probe.at("notice").get<std::string>(), HasSubstr(notice));
}

TEST(GpuReport, IsSilentAboutASmallProbeEffectAndDoesNotInventOne) {
  const Report small = build_report(slowed(1.04));
  EXPECT_THAT(text_report(small), Not(HasSubstr("recording made")));
  EXPECT_EQ(report_json(small).at("probe_effect").at("distorted"), false);
  const auto unknown =
      report_json(build_report(gpu_trace(GpuStepMode::whole_step))).at("probe_effect");
  EXPECT_TRUE(unknown.at("slowdown").is_null());
  EXPECT_TRUE(unknown.at("distorted").is_null());
}

TEST(GpuReport, ShowsNoIdleStreamsWhereOnlyWholeGraphsWereRecorded) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.activities.push_back({ActivityKind::graph, "STEP@train", {}, {}, {}, {}});
  trace.spans = {};
  for (std::int32_t step = 0; step < 6; ++step) {
    append_span(trace.spans, {8000 * step + 500, 8000 * step + 7200, -1, kGpuFwd, step, kGpuComp,
                              kGpuComp, 9, 100});
  }
  const Report report = build_report(trace);
  EXPECT_TRUE(report.timelines.front().waits.empty());
  const std::string text = text_report(report);
  EXPECT_THAT(text, HasSubstr("what ran is unknown: node records absent"));
  EXPECT_THAT(text, HasSubstr("busy time unknown: node records absent"));
  EXPECT_THAT(text, HasSubstr("at most 40.2 us by 6 graph launches"));
  EXPECT_THAT(html_report(report), HasSubstr("node records absent"));
  EXPECT_THAT(report_json(report).at("timeline").at("unknown").get<std::string>(),
              HasSubstr("node records absent"));
}

TEST(GpuReport, LanesOfTheExecutorAreNamedAsSuchAndHaveNoRow) {
  const Report report = build_report(gpu_trace(GpuStepMode::whole_step));
  EXPECT_EQ(report_json(report).at("lanes").at(4).at("kind"), "executor");
  EXPECT_THAT(text_timeline(report), Not(HasSubstr("queue")));
}

TEST(GpuReport, OfAnImportSaysWhatIsUnknownAndWhyInEveryForm) {
  const Report report = build_report(imported_trace());
  const std::string text = text_report(report);
  EXPECT_THAT(text, HasSubstr("Metrics over all 2 steps, warm-up included"));
  EXPECT_THAT(text, HasSubstr("unknown: the tasks do not say their floating-point operations"));
  EXPECT_THAT(text, HasSubstr("6 kernels, 2 copies, 0 fills"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  // A range is no task, and no work of a stream; what it launched has a table of its own.
  const std::size_t ranges = text.find("\nRanges by the device work");
  ASSERT_NE(ranges, std::string::npos);
  EXPECT_THAT(text.substr(0, ranges), Not(HasSubstr("ProfilerStep")));
  EXPECT_THAT(text.substr(text.find("\nTasks\n")),
              Not(HasSubstr("ProfilerStep")));  // a range is no task
  const auto json = report_json(report);
  EXPECT_EQ(json.at("timed_windows"), "all_steps");
  EXPECT_EQ(json.at("device").at("busy_ns"), 650 + 850);
  EXPECT_EQ(json.at("kernels").at(0).at("name"), "gemm");
  EXPECT_EQ(json.at("streams").size(), 2U);
  EXPECT_TRUE(json.at("layers").empty());
  EXPECT_THAT(csv_table_named("metrics")->write(report), HasSubstr("sm/efficiency,"));
  EXPECT_THAT(html_report(report), HasSubstr("\"basis\":\"all_steps\""));
}

TEST(GpuReport, OfAnImportWithoutStepsIsOverTheWholeRange) {
  Trace trace = imported_trace();
  trace.steps.resize(1);
  trace.steps[0].end_ns = 2100;
  trace.spans.step.assign(trace.spans.size(), 0);
  const Report report = build_report(trace);
  EXPECT_THAT(text_report(report), HasSubstr("Metrics over the whole range"));
  EXPECT_THAT(text_report(report), HasSubstr("Timeline of the whole range"));
  EXPECT_EQ(report_json(report).at("timed_windows"), "whole_range");
  EXPECT_NEAR(report.metric("utilisation/any")->value, 1500.0 / 2100, 1e-12);
}

TEST(GpuReport, OfAHundredStreamsStaysReadable) {
  Trace trace = imported_trace();
  for (std::uint32_t lane = 3; lane < 143; ++lane) {
    trace.lanes.push_back(
        {LaneId(lane), "GPU 0 stream " + std::to_string(100 + lane), LaneKind::stream, 0, 0, 0});
    const auto on = static_cast<std::uint16_t>(lane);
    if (lane % 2 == 0) append_span(trace.spans, {700, 700 + lane, -1, 0, 0, on, on, 0});
  }
  const Report report = build_report(trace);
  std::istringstream timeline(text_timeline(report));
  std::size_t lines = 0;
  for (std::string line; std::getline(timeline, line);)
    ++lines;
  EXPECT_LT(lines, 35U);
  EXPECT_THAT(text_timeline(report), HasSubstr("less busy streams"));
  EXPECT_THAT(text_timeline(report), HasSubstr("unused streams"));
}

TEST(GpuReport, KernelsAreDrawnBeforeTheRangesOfThreads) {
  Trace trace = imported_trace();
  for (std::int32_t index = 0; index < 3000; ++index)
    append_span(trace.spans, {index % 800, 890, -1, 3, 0, 2, 2, 3});
  const Report report = build_report(trace);
  for (const StepTimeline& timeline : report.timelines) {
    if (timeline.step != 0) continue;
    std::size_t kernels = 0;
    for (const TimelineBox& box : timeline.boxes)
      kernels += box.lane < 2 ? 1 : 0;
    EXPECT_EQ(kernels, 4U);
    EXPECT_GT(timeline.boxes_left_out, 2999U);
  }
}

}  // namespace
}  // namespace quintet
