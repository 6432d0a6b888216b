#include "tests/support/gpu_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/analysis/critical_path.h"
#include "profiler/analysis/launch_calls.h"
#include "profiler/analysis/wait_attribution.h"
#include "profiler/trace/trace_batch.h"

namespace quintet {
namespace {

using testing::ElementsAre;

constexpr std::size_t kStep = 3;
constexpr std::int64_t kBase = 24000;

std::vector<Wait> waits_of(const Trace& trace, std::size_t window, std::uint16_t lane) {
  TaskRelations relations(trace);
  const auto windows = step_windows(trace);
  std::vector<Wait> waits = attribute_waits(trace, windows.at(window), relations);
  std::erase_if(waits, [lane](const Wait& wait) { return wait.lane.value() != lane; });
  return waits;
}

WaitTotals totals_of(const Trace& trace, std::uint16_t lane) {
  return totals_per_lane(trace, waits_of(trace, kStep, lane)).at(lane);
}

CriticalPath path_of(const Trace& trace, PathOrder order, bool with_calls) {
  TaskRelations relations(trace);
  const StepWindow window = step_windows(trace).at(kStep);
  const auto calls =
      with_calls ? calls_within(relations, window) : std::vector<const LaunchCall*>();
  return critical_path(stream_runs(trace, window), relations, order, calls);
}

TEST(GpuTrace, WindowsReachFromEndToEndOfWhatTheDeviceDid) {
  const auto windows = step_windows(gpu_trace(GpuStepMode::whole_step));
  EXPECT_EQ(windows.at(kStep).time, (Interval{kBase - 800, kBase + 7200}));
  EXPECT_EQ(windows.at(kStep).spans.size(), 9U);
  EXPECT_TRUE(windows.at(kStep).timed);
  EXPECT_EQ(windows.at(kStep).record, WorkRecord::nodes);
}

TEST(GpuTrace, TheKernelsOfATaskAreOneRun) {
  const Trace trace = gpu_trace(GpuStepMode::whole_step);
  const auto runs = stream_runs(trace, step_windows(trace).at(kStep));
  ASSERT_EQ(runs.size(), 6U);
  EXPECT_EQ(runs[1].task, kGpuFwd);
  EXPECT_EQ(runs[1].time, (Interval{kBase + 1000, kBase + 2600}));
  EXPECT_EQ(runs[1].busy_ns, 1500);
  EXPECT_EQ(runs[2].task, kGpuBwd);
  EXPECT_EQ(runs[2].busy_ns, 2400);  // its kernels overlap
  EXPECT_EQ(runs[2].spans, 2U);
  EXPECT_EQ(runs[2].correlation, 400U);
}

TEST(GpuTrace, ACorrelationTellsTheLaunchWhereTheHostRanAhead) {
  const Trace trace = gpu_trace(GpuStepMode::whole_step);
  const TaskRelations relations(trace);
  const auto runs = stream_runs(trace, step_windows(trace).at(kStep));
  // The launch for the next step came before opt began.
  const LaunchCall* launch = relations.launch_of(runs[4]);
  ASSERT_NE(launch, nullptr);
  EXPECT_EQ(launch->time, (Interval{kBase - 5000, kBase - 4400}));
  RunInterval without = runs[4];
  without.correlation = 0;
  EXPECT_EQ(relations.launch_of(without)->time, (Interval{kBase + 3000, kBase + 3600}));
}

// dependency, launch, host_sync, data_loader, nothing_to_do
TEST(WaitAttribution, OfAWholeStepsGraphIsDependenciesAndDispatch) {
  const Trace trace = gpu_trace(GpuStepMode::whole_step);
  EXPECT_THAT(totals_of(trace, kGpuComp), ElementsAre(0, 1900, 0, 0, 2200));
  EXPECT_THAT(totals_of(trace, kGpuUpdate), ElementsAre(4300, 2300, 0, 0, 0));
  EXPECT_THAT(totals_of(trace, kGpuTrans), ElementsAre(3400, 400, 0, 0, 3200));
  for (const Wait& wait : waits_of(trace, kStep, kGpuUpdate)) {
    if (wait.cause != WaitCause::dependency) continue;
    EXPECT_EQ(wait.blocker, kGpuBwd);
  }
}

TEST(WaitAttribution, OfSubGraphsTellsWhatTheHostDid) {
  const Trace trace = gpu_trace(GpuStepMode::sub_graphs);
  EXPECT_THAT(totals_of(trace, kGpuComp), ElementsAre(0, 1850, 50, 0, 2200));
  EXPECT_THAT(totals_of(trace, kGpuUpdate), ElementsAre(4300, 2200, 100, 0, 0));
  EXPECT_THAT(totals_of(trace, kGpuTrans), ElementsAre(3400, 350, 0, 50, 3200));
}

TEST(WaitAttribution, ALaunchWaitsForAllOfTheGraphBeforeItOnItsStream) {
  Trace trace = gpu_trace(GpuStepMode::sub_graphs);
  for (TraceTask& task : trace.tasks)
    task.accesses.clear();
  // Part of bwd on another lane of the same graph; opt's graph goes on the stream of DEEP.
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    if (trace.spans.activity[span] == 4) trace.spans.lane[span] = kGpuTrans;
  }
  for (TraceLaunch& launch : trace.launches) {
    if (launch.graph == 3) {
      launch.lane = LaneId(kGpuComp);
      launch.begin_ns -= 3000;
      launch.end_ns -= 3000;
    }
  }
  for (const Wait& wait : waits_of(trace, kStep, kGpuUpdate)) {
    if (wait.time.end != kBase + 5000) continue;
    EXPECT_EQ(wait.cause, WaitCause::dependency);
    EXPECT_EQ(wait.blocker, kGpuBwd);
    return;
  }
  ADD_FAILURE() << "nothing waits until the end of the graph";
}

TEST(CriticalPath, OfAWholeStepsGraphFollowsStreamsAndData) {
  const Trace trace = gpu_trace(GpuStepMode::whole_step);
  const CriticalPath path = path_of(trace, PathOrder::as_run, true);
  EXPECT_EQ(path.length_ns, 1600 + 2400 + 1200 + 200);
  EXPECT_EQ(path.call_ns, 0);  // the launch came a step early
  EXPECT_EQ(path_of(trace, PathOrder::data, false).length_ns, 1600 + 2400 + 1200);
}

TEST(CriticalPath, RunsThroughTheCallsThatLaunchedGraphs) {
  const Trace trace = gpu_trace(GpuStepMode::sub_graphs);
  const CriticalPath path = path_of(trace, PathOrder::as_run, true);
  // ZERO_GRAD and DEEP are launched, fwd, bwd; the host has waited for them and launches OPTIMIZER.
  EXPECT_EQ(path.call_ns, 500 + 550 + 390);
  EXPECT_EQ(path.length_ns, 500 + 550 + 1600 + 2400 + 390 + 1200 + 200);
  EXPECT_EQ(path_of(trace, PathOrder::as_run, false).length_ns, 5400);
  // Six runs, then four calls; the copy and its launch could have taken longer.
  ASSERT_EQ(path.slack_ns.size(), 10U);
  EXPECT_THAT(path.path, ElementsAre(6, 7, 1, 2, 9, 4, 5));
  EXPECT_GT(path.slack_ns[3], 0);
  EXPECT_GT(path.slack_ns[8], 0);
}

TEST(CriticalPath, OfACallCountsOnlyThePartUntilItsWorkBegan) {
  Trace trace = gpu_trace(GpuStepMode::sub_graphs);
  for (TraceLaunch& launch : trace.launches) {
    if (launch.graph == 1) launch.end_ns += 500;  // fwd begins 450 ns before the call returns
  }
  EXPECT_EQ(path_of(trace, PathOrder::as_run, true).call_ns, 500 + 600 + 390);
}

TEST(StepWindow, OfImportedStepsEndsWithTheDevice) {
  const Trace trace = imported_trace();
  const auto windows = step_windows(trace);
  ASSERT_EQ(windows.size(), 2U);
  EXPECT_EQ(windows[0].time, (Interval{0, 900}));
  EXPECT_EQ(windows[1].time, (Interval{900, 2100}));
  EXPECT_TRUE(windows[0].timed);
  EXPECT_EQ(window_basis(trace, windows), WindowBasis::all_steps);
}

TEST(StepWindow, AnImportWithoutStepsIsOneWindow) {
  Trace trace = imported_trace();
  trace.steps.resize(1);
  trace.steps[0].end_ns = 2100;
  trace.spans.step.assign(trace.spans.size(), 0);
  const auto windows = step_windows(trace);
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_TRUE(windows[0].timed);
  EXPECT_EQ(window_basis(trace, windows), WindowBasis::whole_range);
}

TEST(StepWindow, ALongImportLeavesItsWarmUpOutAsAnyOther) {
  Trace trace = imported_trace();
  for (std::int32_t step = 2; step < 5; ++step) {
    TraceStep record = trace.steps[1];
    record.step = step;
    record.begin_ns = 1000 * step;
    record.end_ns = 1000 * step + 1000;
    trace.steps.push_back(record);
  }
  const auto windows = step_windows(trace);
  EXPECT_FALSE(windows[0].timed);
  EXPECT_FALSE(windows[1].timed);
  EXPECT_TRUE(windows[2].timed);
  EXPECT_EQ(window_basis(trace, windows), WindowBasis::steady_steps);
}

TEST(StepWindow, AStepThatSaysItWasNotRecordedIsNotIdle) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  trace.steps[kStep].recording = StepRecording::none;
  trace.launches.clear();
  EXPECT_EQ(step_windows(trace)[kStep].record, WorkRecord::missing);
  EXPECT_EQ(step_windows(trace)[kStep + 1].record, WorkRecord::nodes);
}

TEST(StepWindow, AnImportedGraphLaunchWithoutItsWorkIsNotIdle) {
  Trace trace = imported_trace();
  trace.activities[4].name = "cudaGraphLaunch_v10000";
  EXPECT_EQ(step_windows(trace)[1].record, WorkRecord::nodes);
  trace.spans.correlation.back() = 0;  // the last kernel is gone from its call
  EXPECT_EQ(step_windows(trace)[0].record, WorkRecord::nodes);
  EXPECT_EQ(step_windows(trace)[1].record, WorkRecord::missing);
}

TEST(RunInterval, EverySpanOfANameIsARunOfItsOwn) {
  const Trace trace = imported_trace();
  const auto runs = stream_runs(trace, step_windows(trace)[0]);
  ASSERT_EQ(runs.size(), 4U);  // the copy, gemm, relu, gemm
  EXPECT_EQ(runs[1].time, (Interval{200, 400}));
  EXPECT_EQ(runs[3].time, (Interval{600, 900}));
}

TEST(WaitAttribution, OfImportedWorkIsTheWaitForItsCall) {
  const auto waits = waits_of(imported_trace(), 0, 0);
  ASSERT_EQ(waits.size(), 4U);
  EXPECT_EQ(waits[0].time, (Interval{0, 160}));  // until the call had returned
  EXPECT_EQ(waits[1].time, (Interval{160, 200}));
  EXPECT_EQ(waits[2].time, (Interval{400, 450}));
  EXPECT_EQ(waits[3].time, (Interval{500, 600}));
  for (const Wait& wait : waits)
    EXPECT_EQ(wait.cause, WaitCause::launch);
}

TEST(WaitAttribution, ImportedCallsThatSynchronizeBlockTheirThread) {
  Trace trace = imported_trace();
  TraceActivity sync = trace.activities[4];
  sync.name = "cudaStreamSynchronize";
  trace.activities.push_back(sync);
  append_span(trace.spans, {420, 540, -1, 4, 0, 2, 2, 5, 99});
  const auto waits = waits_of(trace, 0, 0);
  ASSERT_EQ(waits.size(), 5U);
  EXPECT_EQ(waits[3].cause, WaitCause::host_sync);
  EXPECT_EQ(waits[3].time, (Interval{500, 540}));
}

TEST(LaunchCalls, AreCallsUnderWhoseCorrelationWorkWasRecordedWhateverTheirName) {
  Trace trace = imported_trace();
  trace.activities[4].name = "cudaSomethingNew_v13";
  append_span(trace.spans, {700, 710, -1, 4, 0, 2, 2, 4, 77});  // launched nothing
  const auto calls = launch_calls(trace);
  ASSERT_EQ(calls.size(), 8U);
  EXPECT_EQ(calls[0].time, (Interval{50, 60}));
  EXPECT_EQ(calls[0].host, 2U);
  EXPECT_EQ(calls[0].correlation, 10U);
}

TEST(LaunchCalls, ThatWereRecordedTwiceCountOnce) {
  Trace trace = gpu_trace(GpuStepMode::whole_step);
  TraceActivity call;
  call.kind = ActivityKind::api_call;
  call.name = "cudaGraphLaunch";
  trace.activities.push_back(call);
  append_span(trace.spans,
              {kBase - 5000, kBase - 4400, -1, kGpuFwd, 3, kGpuHost, kGpuHost, 9, 400});
  EXPECT_EQ(launch_calls(trace).size(), 6U);
}

TEST(CriticalPath, OfAnImportFollowsStreamsAndTheCallsOfAThread) {
  const Trace trace = imported_trace();
  TaskRelations relations(trace);
  const StepWindow window = step_windows(trace)[0];
  const CriticalPath path = critical_path(stream_runs(trace, window), relations, PathOrder::as_run,
                                          calls_within(relations, window));
  // Two calls, gemm, relu, gemm: the call of the last gemm is hidden beneath the others.
  EXPECT_EQ(path.length_ns, 10 + 10 + 200 + 50 + 300);
  EXPECT_EQ(path.call_ns, 20);
}

TEST(CriticalPath, OfHundredThousandKernelsIsQuick) {
  Trace trace = imported_trace();
  trace.spans = {};
  for (std::int32_t kernel = 0; kernel < 100'000; ++kernel) {
    const std::int64_t begin = 20 * kernel;
    const auto lane = static_cast<std::uint16_t>(kernel % 2);
    append_span(trace.spans, {begin, begin + 15, -1, 0, 0, lane, lane, 0});
  }
  trace.steps.resize(1);
  TaskRelations relations(trace);
  const StepWindow window = step_windows(trace)[0];
  EXPECT_EQ(critical_path(stream_runs(trace, window), relations, PathOrder::as_run).length_ns,
            50'000 * 15);
  EXPECT_FALSE(attribute_waits(trace, window, relations).empty());
}

}  // namespace
}  // namespace quintet
