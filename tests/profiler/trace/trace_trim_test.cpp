#include "profiler/trace/trace_trim.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

using testing::ElementsAre;

/// The sample, with a second shape variant that no step has.
Trace sample_with_evaluation(std::int64_t steps) {
  Trace trace = sample_trace(steps);
  // At the front, so that every number behind it moves.
  TraceTask task = trace.tasks[0];
  task.name = "conv1/CONV_FP32_FWD/Y";
  task.graph = "INF_MAIN_A";
  task.shape = "eval";
  trace.tasks.insert(trace.tasks.begin(), task);
  for (TraceGraph& graph : trace.graphs) {
    for (std::uint32_t& each : graph.tasks)
      ++each;
    for (TraceEdge& edge : graph.edges) {
      ++edge.from;
      ++edge.to;
    }
  }
  for (std::uint32_t& each : trace.spans.task)
    ++each;
  for (TraceUntimed& each : trace.untimed)
    ++each.task;
  // A task of any shape, which graphs of both shapes run.
  trace.tasks[2].shape = "any";
  trace.graphs.insert(trace.graphs.begin(),
                      {"INF_MAIN_A@eval", LaneId(0), {2, 0}, {{2, 0, "adjacent", ""}}, false});
  for (TraceLaunch& launch : trace.launches)
    ++launch.graph;
  trace.tensors.push_back({"logits", "64x10x1x1", "f32", "eval", RegionId(0), 0, 64});
  for (const char* variant : {"train A train>eval", "evaluate A eval", "prologue A any>eval"}) {
    trace.commands.push_back(
        {variant, 0, "launch", "HOST_MAIN", "COMP_1", "INF_MAIN_A@eval", "", 0, ""});
  }
  return trace;
}

/// Everything that points into the tables of a trace, as names.
std::multiset<std::string> named_spans(const Trace& trace, StepRange range) {
  std::multiset<std::string> names;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    if (!range.contains(trace.spans.step[i])) continue;
    const std::uint32_t activity = trace.spans.activity[i];
    names.insert(trace.tasks[trace.spans.task[i]].name + " " +
                 (activity == kWholeTask ? "whole" : trace.activities[activity].name) + " " +
                 trace.lanes[trace.spans.lane[i]].name + " " +
                 std::to_string(trace.spans.begin_ns[i]) + " " +
                 std::to_string(trace.spans.end_ns[i]));
  }
  return names;
}

Finding finding_named(const Trace& trace, const std::string& name) {
  for (const Finding& finding : trace.findings)
    if (finding.name == name) return finding;
  return {Severity::info, "no such finding", "", 0};
}

TEST(Trimming, KeepsTheStepsOfTheRangeAndWhatServesThem) {
  const Trace whole = sample_with_evaluation(9);
  const StepRange range{3, 5};
  const Trace trimmed = trim_trace(whole, range);
  std::vector<std::int64_t> steps;
  for (const TraceStep& step : trimmed.steps)
    steps.push_back(step.step);
  EXPECT_THAT(steps, ElementsAre(3, 4, 5));
  EXPECT_EQ(named_spans(trimmed, range), named_spans(whole, range));
  EXPECT_EQ(trimmed.untimed.size(), 3U);
  EXPECT_EQ(trimmed.host_waits.size(), 3U);
  EXPECT_EQ(trimmed.launches.size(), 3U);
}

TEST(Trimming, KeepsTheWorkOfOtherStepsThatRanMeanwhile) {
  const Trace whole = sample_with_evaluation(9);
  const Trace trimmed = trim_trace(whole, {3, 5});
  // The last span of each step serves the next one.
  const StepRange next{6, 6};
  EXPECT_EQ(named_spans(trimmed, next).size(), 1U);
  EXPECT_EQ(named_spans(trimmed, {7, 100}).size(), 0U);
  EXPECT_EQ(named_spans(trimmed, {0, 2}).size(), 0U);
}

TEST(Trimming, DropsThePlanOfShapesThatNeverRan) {
  const Trace trimmed = trim_trace(sample_with_evaluation(9), {3, 5});
  for (const TraceTask& task : trimmed.tasks)
    EXPECT_NE(task.shape, "eval") << task.name;
  EXPECT_EQ(trimmed.tasks.size(), sample_trace(9).tasks.size());
  ASSERT_EQ(trimmed.graphs.size(), 2U);
  EXPECT_EQ(trimmed.graphs[0].name, "DEEP_FWD_BWD@train");
  EXPECT_TRUE(trimmed.graphs[1].empty);
  EXPECT_EQ(trimmed.tensors.size(), 2U);
  EXPECT_EQ(trimmed.commands.size(), 2U);
}

TEST(Trimming, KeepsEveryAccessAndEdgeOfWhatStays) {
  const Trace trimmed = trim_trace(sample_with_evaluation(9), {3, 5});
  const Trace original = sample_trace(9);
  ASSERT_EQ(trimmed.tasks.size(), original.tasks.size());
  for (std::size_t task = 0; task < original.tasks.size(); ++task) {
    EXPECT_EQ(trimmed.tasks[task].name, original.tasks[task].name);
    EXPECT_EQ(trimmed.tasks[task].accesses, original.tasks[task].accesses);
  }
  ASSERT_EQ(trimmed.graphs[0].edges.size(), 1U);
  EXPECT_EQ(trimmed.graphs[0].tasks, original.graphs[0].tasks);
  EXPECT_EQ(trimmed.graphs[0].edges[0].from, original.graphs[0].edges[0].from);
  EXPECT_EQ(trimmed.graphs[0].edges[0].to, original.graphs[0].edges[0].to);
}

TEST(Trimming, DropsActivitiesThatNoLongerOccur) {
  const Trace trimmed = trim_trace(sample_with_evaluation(9), {3, 5});
  std::vector<std::string> names;
  for (const TraceActivity& activity : trimmed.activities)
    names.push_back(activity.name);
  EXPECT_THAT(names, ElementsAre("memset", "sgemm"));
}

TEST(Trimming, KeepsTheShapeOfAnEvaluationThatRan) {
  Trace whole = sample_with_evaluation(9);
  whole.steps[4].shape = "eval";
  whole.steps[4].phase = "evaluate";
  const Trace trimmed = trim_trace(whole, {3, 5});
  EXPECT_EQ(trimmed.tasks.size(), whole.tasks.size());
  EXPECT_EQ(trimmed.graphs.size(), whole.graphs.size());
  EXPECT_EQ(trimmed.tensors.size(), whole.tensors.size());
  EXPECT_EQ(trimmed.commands.size(), whole.commands.size());
}

TEST(Trimming, CountsWhatItLeftOut) {
  const Trace trimmed = trim_trace(sample_with_evaluation(9), {3, 5});
  const Finding finding = finding_named(trimmed, "trimmed");
  EXPECT_EQ(finding.count, 6);
  EXPECT_EQ(finding.severity, Severity::info);
  EXPECT_EQ(finding.message, "holds steps 3 to 5, 3 of 9, with 19 of 54 spans and 4 of 5 tasks");
  EXPECT_EQ(trimmed.findings.front().name, "empty_sub_graph");
}

TEST(Trimming, OfEveryStepChangesNothingButThePlan) {
  const Trace whole = sample_trace(9);
  Trace trimmed = trim_trace(whole, {0, 8});
  EXPECT_EQ(finding_named(trimmed, "trimmed").count, 0);
  trimmed.findings.pop_back();
  // Two activities never occur.
  trimmed.activities = whole.activities;
  EXPECT_EQ(describe(trimmed), describe(whole));
}

TEST(Trimming, GivesATraceThatCanBeWrittenAndRead) {
  const TemporaryFolder folder;
  const Trace trimmed = trim_trace(sample_with_evaluation(9), {3, 5});
  ASSERT_TRUE(write_trace(trimmed, folder.file("a.qtrace.gz"), TraceForm::gzip));
  const Result<Trace> read = read_trace(folder.file("a.qtrace.gz"));
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(describe(*read), describe(trimmed));
}

TEST(Trimming, OfARangeWithoutStepsGivesNone) {
  const Trace trimmed = trim_trace(sample_with_evaluation(3), {50, 60});
  EXPECT_TRUE(trimmed.steps.empty());
  EXPECT_EQ(trimmed.spans.size(), 0U);
  EXPECT_EQ(finding_named(trimmed, "trimmed").count, 3);
}

}  // namespace
}  // namespace quintet
