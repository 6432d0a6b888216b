#include "profiler/analysis/run_interval.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_batch.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

TEST(RunInterval, IsTheHullOfTheSpansAndBusyIsTheirUnion) {
  Trace trace = tiny_trace();
  // A second kernel of dW of step 2, and a third that overlaps it.
  for (const auto& [begin, end] : {std::pair<int, int>{2700, 2750}, {2740, 2760}}) {
    append_span(trace.spans, {begin, end, -1, 2, 2, 1, 1});
  }
  const auto windows = step_windows(trace);
  const auto runs = task_runs(trace, windows[2], RunChoice::begun);
  ASSERT_EQ(runs.size(), 5U);
  const RunInterval& dw = runs[2];
  EXPECT_EQ(dw.task, 2U);
  EXPECT_EQ(dw.time, (Interval{2500, 2760}));
  EXPECT_EQ(dw.busy_ns, 150 + 60);
  EXPECT_EQ(dw.spans, 3U);
  EXPECT_EQ(dw.cpu_ns, -1);
}

TEST(RunInterval, SpansOfUnknownTasksAreSkipped) {
  Trace trace = tiny_trace();
  trace.spans.task[10] = 99;
  const auto windows = step_windows(trace);
  EXPECT_EQ(task_runs(trace, windows[2], RunChoice::begun).size(), 4U);
}

}  // namespace
}  // namespace quintet
