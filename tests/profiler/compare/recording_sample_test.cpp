#include "profiler/compare/recording_sample.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "profiler/compare/recording_identity.h"
#include "profiler/report/report.h"
#include "profiler/trace/trace_batch.h"
#include "tests/profiler/compare/compare_traces.h"
#include "tests/support/example_trace.h"
#include "tests/support/gpu_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

const TaskSample& task_of(const RecordingSample& sample, const std::string& name) {
  const auto found = std::find_if(sample.tasks.begin(), sample.tasks.end(),
                                  [&name](const TaskSample& task) { return task.name == name; });
  EXPECT_NE(found, sample.tasks.end()) << name;
  return *found;
}

TEST(RecordingSample, HoldsTheTimeOfEachTaskInEachTimedStep) {
  const RecordingSample sample = sampled(tiny_trace());
  EXPECT_TRUE(sample.timed);
  EXPECT_EQ(sample.step_time_ns, (StepSeries{1000, 1000, 1000}));
  const TaskSample& forward = task_of(sample, "fc1/FC_FP32_FWD/Y");
  EXPECT_EQ(forward.time_ns.size(), 3U);
  EXPECT_EQ(forward.layer, "fc1");
  EXPECT_EQ(forward.ids, std::vector<std::string>{"fc1/FC_FP32_FWD/Y@train"});
  EXPECT_EQ(forward.lanes.size(), 1U);
  EXPECT_EQ(forward.lanes.begin()->first, "COMP_1");
  EXPECT_EQ(forward.critical.size(), 3U);
}

TEST(RecordingSample, CountsOverlappingSpansOfATaskOnce) {
  Trace trace = lowered_trace(true, 100);
  // A second kernel of the same run, which begins before the first ends.
  for (int step = 0; step < 10; ++step) {
    const std::int64_t begin = step * 1000 + 60;
    append_span(trace.spans,
                {begin, begin + 100, -1, 0, step, trace.spans.lane[0], trace.spans.lane[0]});
  }
  const RecordingSample sample = sampled(trace);
  EXPECT_EQ(sample.tasks.front().time_ns.front(), 150);
}

TEST(RecordingSample, GivesARunToTheStepItServesNotToTheWindowItRunsIn) {
  Trace trace = lowered_trace(true, 100);
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    trace.spans.begin_ns[span] -= 500;  // runs ahead, into the step before
    trace.spans.end_ns[span] -= 500;
  }
  const RecordingSample sample = sampled(trace);
  for (const double time : sample.tasks.front().time_ns)
    EXPECT_EQ(time, 100);
}

TEST(RecordingSample, HasNoValueForAStepInWhichTheTaskDidNotRun) {
  Trace trace = lowered_trace(true, 100);
  trace.spans.step[5] = 4;  // step 5 has work of step 4 alone
  const RecordingSample sample = sampled(trace);
  const StepSeries& time = sample.tasks.front().time_ns;
  EXPECT_EQ(std::count_if(time.begin(), time.end(), [](double value) { return std::isnan(value); }),
            1);
}

TEST(RecordingSample, TakesTasksFromTheStepsThatWereRecordedInDetailAlone) {
  Trace trace = lowered_trace(true, 100);
  TraceBatch none;
  trace.spans = none.spans;
  const auto lane = static_cast<std::uint16_t>(lane_of(StreamKind::COMP_1).value());
  for (const int step : {5, 6, 7})
    append_span(trace.spans, {step * 1000 + 10, step * 1000 + 110, -1, 0, step, lane, lane});
  const RecordingSample sample = sampled(trace);
  EXPECT_EQ(sample.step_time_ns.size(), 8U);
  EXPECT_EQ(sample.task_steps, 3U);
  EXPECT_EQ(sample.tasks.front().time_ns, (StepSeries{100, 100, 100}));
}

TEST(RecordingSample, LeavesOutTasksThatNoTimedStepRan) {
  const RecordingSample sample = sampled(example_trace());
  for (const TaskSample& task : sample.tasks)
    EXPECT_FALSE(task.lanes.empty()) << task.name;
}

TEST(RecordingSample, OfARecordingWithoutTimedStepsTakesWhatThereIsAndSaysSo) {
  Trace trace = example_trace();
  trace.steps.resize(2);  // both only warm up
  const RecordingSample sample = sampled(trace);
  EXPECT_FALSE(sample.timed);
  EXPECT_EQ(sample.timed_steps, 0U);
  EXPECT_EQ(sample.step_time_ns.size(), 2U);
  EXPECT_GT(sample.tasks.size(), 10U);
}

TEST(RecordingSample, OfAShortImportTakesItsWholeRangeAsOneStep) {
  const RecordingSample sample = sampled(imported_trace({{"gemm", 0, 10, 0}}, 1));
  EXPECT_TRUE(sample.timed);
  EXPECT_EQ(sample.timed_steps, 1U);
  EXPECT_EQ(sample.step_time_ns.size(), 1U);
  EXPECT_EQ(sample.tasks.size(), 1U);
}

TEST(RecordingSample, OfAnEmptyTraceIsEmpty) {
  const RecordingSample sample = sampled(Trace());
  EXPECT_TRUE(sample.step_time_ns.empty());
  EXPECT_TRUE(sample.tasks.empty());
}

TEST(RecordingSample, TellsKernelsOfOneNameApartByTheirOrderInTheStep) {
  const RecordingSample sample =
      sampled(imported_trace({{"gemm", 0, 10, 0}, {"gemm", 50, 30, 0}, {"relu", 20, 5, 0}}));
  EXPECT_EQ(sample.tasks.size(), 3U);
  EXPECT_EQ(task_of(sample, "gemm #1").time_ns.front(), 10);
  EXPECT_EQ(task_of(sample, "gemm #2").time_ns.front(), 30);
}

TEST(RecordingSample, TellsKernelsOfAGraphApartByTheirNodes) {
  const RecordingSample sample = sampled(imported_trace({{"gemm", 0, 10, 9}, {"gemm", 50, 30, 4}}));
  EXPECT_EQ(task_of(sample, "gemm #1").time_ns.front(), 30);
  EXPECT_EQ(task_of(sample, "gemm #2").time_ns.front(), 10);
}

TEST(RecordingSample, TakesAtMostFiveHundredAndTwelveStepsInRunsOfConsecutiveOnes) {
  const std::vector<std::size_t> positions = sampled_positions(100000);
  EXPECT_EQ(positions.size(), kSampledSeries);
  EXPECT_EQ(positions.front(), 0U);
  EXPECT_EQ(positions.back(), 99999U);
  EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end()));
  EXPECT_EQ(std::adjacent_find(positions.begin(), positions.end()), positions.end());
  EXPECT_EQ(positions[1], 1U);
  EXPECT_EQ(sampled_positions(3), (std::vector<std::size_t>{0, 1, 2}));
  const std::vector<std::size_t> one_more = sampled_positions(kSampledSeries + 1);
  EXPECT_TRUE(std::is_sorted(one_more.begin(), one_more.end()));
}

TEST(RecordingSample, HasTheCriticalTasksOfTheReportLaunchCallsIncluded) {
  Trace trace = gpu_trace(GpuStepMode::sub_graphs);
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    std::int64_t& begin = trace.spans.begin_ns[span];
    std::int64_t& end = trace.spans.end_ns[span];
    // The clear takes longer than fwd, but not than fwd and the call that launched it.
    if (trace.spans.task[span] == kGpuClear) end = begin + 500;
    if (trace.spans.task[span] == kGpuFwd && end - begin == 1000) end = begin + 300;
    if (trace.spans.task[span] == kGpuFwd && end - begin == 500) {
      begin -= 800;
      end = begin + 10;
    }
  }
  const RecordingSample sample = sampled(trace);
  const Report report = build_report(trace);
  for (const ReportTask& row : report.tasks) {
    const std::vector<bool>& critical = task_of(sample, row.name).critical;
    const auto steps = std::count(critical.begin(), critical.end(), true);
    EXPECT_EQ(row.critical, static_cast<double>(steps) / static_cast<double>(critical.size()))
        << row.name;
  }
  const auto critical = [&](std::uint32_t task) {
    return task_of(sample, trace.tasks[task].name).critical.front();
  };
  EXPECT_TRUE(critical(kGpuFwd));
  EXPECT_FALSE(critical(kGpuClear));
}

TEST(RecordingIdentity, IsThatOfTheContent) {
  const std::string identity = recording_identity(example_trace());
  EXPECT_EQ(identity.size(), 32U);
  EXPECT_EQ(identity, recording_identity(example_trace()));
  Trace later = example_trace();
  later.spans.end_ns.back() += 1;
  EXPECT_NE(identity, recording_identity(later));
  Trace elsewhere = example_trace();
  elsewhere.provenance["machine"] = "another";
  EXPECT_NE(identity, recording_identity(elsewhere));
}

}  // namespace
}  // namespace quintet
