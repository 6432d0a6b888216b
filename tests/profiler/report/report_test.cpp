#include "profiler/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/trace/trace_batch.h"
#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::ElementsAre;

TEST(Report, TasksCarryTimesSharesAndSlack) {
  const Report report = build_report(tiny_trace());
  ASSERT_EQ(report.tasks.size(), 5U);
  const ReportTask& fwd = report.tasks[0];
  EXPECT_EQ(fwd.name, "fc1/FC_FP32_FWD/Y");
  EXPECT_EQ(fwd.label, "fc1");
  EXPECT_EQ(fwd.lane, "COMP_1");
  EXPECT_EQ(fwd.family, OpFamily::forward);
  EXPECT_EQ(fwd.time_ns.median, 300);
  EXPECT_DOUBLE_EQ(fwd.share, 0.3);
  EXPECT_EQ(fwd.slack_ns, 0);
  EXPECT_EQ(fwd.critical, 1);
  const auto dw = std::find_if(report.tasks.begin(), report.tasks.end(),
                               [](const ReportTask& task) { return task.part == "dW"; });
  ASSERT_NE(dw, report.tasks.end());
  EXPECT_EQ(dw->slack_ns, 50);
  EXPECT_EQ(dw->critical, 0);
  EXPECT_EQ(dw->label, "fc1 dW");
}

TEST(Report, LayersAndOpKindsShareAllWork) {
  const Report report = build_report(tiny_trace());
  ASSERT_EQ(report.layers.size(), 3U);
  EXPECT_EQ(report.layers[0].name, "fc1");
  EXPECT_EQ(report.layers[0].tasks, 3U);
  EXPECT_EQ(report.layers[0].time_ns, 650);
  double shares = 0;
  for (const ReportRollup& rollup : report.op_kinds)
    shares += rollup.share;
  EXPECT_DOUBLE_EQ(shares, 1);
}

TEST(Report, DrawsEachRepresentativeStepOnce) {
  const Report report = build_report(example_trace());
  std::vector<std::string> labels;
  std::vector<std::int64_t> steps;
  for (const StepTimeline& timeline : report.timelines) {
    labels.push_back(timeline.label);
    steps.push_back(timeline.step);
  }
  EXPECT_EQ(labels.front(), "median");
  EXPECT_EQ(labels.back(), "last");
  std::sort(steps.begin(), steps.end());
  EXPECT_EQ(std::unique(steps.begin(), steps.end()), steps.end());
  EXPECT_LE(steps.size(), 6U);
}

TEST(Report, BusyAndWaitsAddUpToTheStep) {
  const Report report = build_report(tiny_trace());
  ASSERT_EQ(report.waits.size(), kStreamCount);
  for (const LaneWaits& waits : report.waits) {
    double sum = waits.busy_ns;
    for (const double time : waits.wait_ns)
      sum += time;
    EXPECT_NEAR(sum, 1000, 1e-9);
  }
}

TEST(Report, ConcurrencyIsInShares) {
  EXPECT_THAT(build_report(tiny_trace()).concurrency, ElementsAre(0.2, 0.65, 0.15));
}

TEST(Report, TheMostSevereFindingComesFirst) {
  Trace trace = tiny_trace();
  trace.findings = {
      {Severity::info, "a", "", 1}, {Severity::error, "b", "", 1}, {Severity::notice, "c", "", 1}};
  const Report report = build_report(trace);
  EXPECT_EQ(report.findings[0].name, "b");
  EXPECT_EQ(report.findings[2].name, "a");
}

TEST(Report, OfAnEmptyTraceHasNothingButUnknowns) {
  const Report report = build_report(Trace());
  EXPECT_TRUE(report.timelines.empty());
  EXPECT_TRUE(report.tasks.empty());
  ASSERT_NE(report.metric("step/time"), nullptr);
  EXPECT_EQ(report.metric("step/time")->state, MetricState::unknown);
}

TEST(Report, KeepsTheLongestRunsOfAnEnormousStep) {
  Trace trace = tiny_trace();
  const TraceTask like = trace.tasks[1];
  SpanColumns& spans = trace.spans;
  for (std::uint32_t index = 0; index < 2 * kTimelineBoxes; ++index) {
    const auto task = static_cast<std::uint32_t>(trace.tasks.size());
    trace.tasks.push_back(like);
    trace.tasks.back().accesses.clear();
    const std::int64_t begin = 3000 + index % 900;
    append_span(spans, {begin, begin + 1, 1, task, 3, 2, 2});
  }
  for (const StepTimeline& timeline : build_report(trace).timelines) {
    EXPECT_LE(timeline.boxes.size(), kTimelineBoxes);
    if (timeline.step == 3) {
      EXPECT_EQ(timeline.boxes.size(), kTimelineBoxes);
      EXPECT_EQ(timeline.boxes_left_out, kTimelineBoxes + 5);
    }
  }
}

}  // namespace
}  // namespace quintet
