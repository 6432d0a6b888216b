#include "profiler/analysis/critical_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::ElementsAre;

TEST(CriticalPath, IsTheLongestChainAndSlackIsWhatARunCouldGain) {
  const Trace trace = tiny_trace();
  TaskRelations relations(trace);
  const auto windows = step_windows(trace);
  const auto runs = stream_runs(trace, windows[2]);
  ASSERT_EQ(runs.size(), 5U);  // copy, fwd, dW, dX, opt
  for (const PathOrder order : {PathOrder::as_run, PathOrder::data}) {
    const CriticalPath path = critical_path(runs, relations, order);
    EXPECT_EQ(path.length_ns, 300 + 200 + 100);
    EXPECT_THAT(path.path, ElementsAre(1, 3, 4));
    EXPECT_THAT(path.slack_ns, ElementsAre(400, 0, 50, 0, 0));
  }
}

TEST(CriticalPath, OfOneStreamIsAllItsWork) {
  const Trace trace = tiny_serial_trace();
  TaskRelations relations(trace);
  const auto windows = step_windows(trace);
  const auto runs = stream_runs(trace, windows[2]);
  EXPECT_EQ(critical_path(runs, relations, PathOrder::as_run).length_ns, 800);
  EXPECT_EQ(critical_path(runs, relations, PathOrder::data).length_ns, 250 + 200 + 100);
}

TEST(CriticalPath, WhatOverlappedWasNotOrdered) {
  Trace trace = tiny_trace();
  trace.spans.begin_ns[12] = 2490;  // dW of step 2 begins before fwd has ended
  TaskRelations relations(trace);
  const auto windows = step_windows(trace);
  const auto runs = stream_runs(trace, windows[2]);
  const CriticalPath path = critical_path(runs, relations, PathOrder::as_run);
  EXPECT_EQ(path.length_ns, 600);
  EXPECT_EQ(path.slack_ns[2], 600 - 160 - 100);
}

TEST(CriticalPath, OfNothingIsZero) {
  const Trace trace = tiny_trace();
  TaskRelations relations(trace);
  const CriticalPath path = critical_path({}, relations, PathOrder::as_run);
  EXPECT_EQ(path.length_ns, 0);
  EXPECT_TRUE(path.path.empty());
}

TEST(TaskRelations, ScratchAloneIsNoConflictOfData) {
  Trace trace = tiny_trace();
  Access scratch = trace.tasks[0].accesses[0];
  scratch.region = RegionId(9);
  scratch.mode = AccessMode::scratch;
  trace.tasks[0].accesses.push_back(scratch);
  trace.tasks[2].accesses.push_back(scratch);
  TaskRelations relations(trace);
  EXPECT_TRUE(relations.conflict(0, 2));
  EXPECT_FALSE(relations.data_conflict(2, 0));
  EXPECT_TRUE(relations.data_conflict(1, 2));
  EXPECT_FALSE(relations.conflict(0, 1));
  EXPECT_TRUE(relations.graph_edge(1, 3));
  EXPECT_FALSE(relations.graph_edge(3, 1));
}

TEST(TaskRelations, TheLatestLaunchOfATasksGraphStartedIt) {
  const Trace trace = tiny_trace();
  const TaskRelations relations(trace);
  RunInterval run;
  run.task = 3;
  run.time = {2600, 2800};
  ASSERT_NE(relations.launch_of(run), nullptr);
  EXPECT_EQ(relations.launch_of(run)->time, (Interval{2050, 2150}));
  EXPECT_EQ(relations.launch_of(run)->stream, lane_of(StreamKind::COMP_1).value());
  run.time = {10, 20};
  EXPECT_EQ(relations.launch_of(run), nullptr);
}

}  // namespace
}  // namespace quintet
