#include "profiler/analysis/wait_attribution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profiler/trace/trace_batch.h"
#include "tests/support/example_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet {
namespace {

using testing::ElementsAre;

std::vector<Wait> waits_of(const Trace& trace, std::size_t step, StreamKind stream) {
  TaskRelations relations(trace);
  const auto windows = step_windows(trace);
  std::vector<Wait> waits = attribute_waits(trace, windows.at(step), relations);
  std::erase_if(waits, [stream](const Wait& wait) { return wait.lane != lane_of(stream); });
  return waits;
}

WaitTotals totals_of(const Trace& trace, std::size_t step, StreamKind stream) {
  return totals_per_lane(trace, waits_of(trace, step, stream)).at(index_of(stream));
}

TEST(WaitAttribution, NamesTheTaskThatFinishedLast) {
  const auto waits = waits_of(tiny_trace(), 2, StreamKind::COMP_3);
  ASSERT_EQ(waits.size(), 3U);
  EXPECT_EQ(waits[0].cause, WaitCause::dependency);
  EXPECT_EQ(waits[0].time, (Interval{2000, 2500}));
  EXPECT_EQ(waits[0].blocker, 1U);  // fwd, by the captured edge
  EXPECT_EQ(waits[0].next, 3U);
  EXPECT_EQ(waits[1].cause, WaitCause::launch);
  EXPECT_EQ(waits[2].cause, WaitCause::nothing_to_do);
}

TEST(WaitAttribution, ConflictsCountAsDependenciesBetweenLaunches) {
  const auto waits = waits_of(tiny_trace(), 2, StreamKind::UPDATE);
  ASSERT_EQ(waits.size(), 2U);
  EXPECT_EQ(waits[0].time, (Interval{2000, 2800}));
  EXPECT_EQ(waits[0].blocker, 3U);  // dX reads the weights that the optimizer writes
}

TEST(WaitAttribution, TimeBeforeALaunchIsWhatTheHostDid) {
  // dependency, launch, host_sync, data_loader, nothing_to_do
  EXPECT_THAT(totals_of(tiny_trace(), 2, StreamKind::COMP_1), ElementsAre(0, 140, 40, 20, 350));
  EXPECT_THAT(totals_of(tiny_trace(), 2, StreamKind::TRANS), ElementsAre(0, 60, 40, 0, 700));
}

TEST(WaitAttribution, AFilledBatchIsTheLoadersDoing) {
  Trace trace = tiny_trace();
  TraceTask fill;
  fill.op_kind = "HOST_FILL_BATCH";
  fill.policy_lane = lane_of(HostActor::LOADER);
  Access access = trace.tasks[0].accesses[0];
  access.mode = AccessMode::write;
  fill.accesses = {access};
  trace.tasks.push_back(fill);
  SpanColumns& spans = trace.spans;
  const auto on = static_cast<std::uint16_t>(lane_of(HostActor::LOADER).value());
  append_span(spans, {1900, 2090, 100, 5, 3, on, on});
  EXPECT_THAT(totals_of(trace, 2, StreamKind::TRANS), ElementsAre(0, 10, 0, 90, 700));
}

TEST(WaitAttribution, EventsOfTheStepProgramExplainWhatDataDoesNot) {
  Trace trace = tiny_trace();
  // Nothing conflicts any more; the program makes UPDATE wait for an event of COMP_1.
  for (TraceTask& task : trace.tasks)
    task.accesses.clear();
  TraceCommand record;
  record.kind = "record";
  record.stream = "COMP_1";
  record.event = "deep_done";
  TraceCommand wait = record;
  wait.kind = "wait";
  wait.stream = "UPDATE";
  trace.commands = {record, wait};
  const auto waits = waits_of(trace, 2, StreamKind::UPDATE);
  ASSERT_GE(waits.size(), 2U);
  const Wait& structural = waits[waits.size() - 2];
  EXPECT_EQ(structural.cause, WaitCause::dependency);
  // dX ran on COMP_3, but in the graph that COMP_1 launched: its event came after all of that.
  EXPECT_EQ(structural.blocker, 3U);
  EXPECT_EQ(structural.time, (Interval{2600, 2800}));
}

TEST(WaitAttribution, BetweenTheKernelsOfOneTaskOnlyDispatchIsWaitedFor) {
  Trace trace = tiny_trace();
  SpanColumns& spans = trace.spans;
  append_span(spans, {2700, 2750, 50, 2, 2, 1, 1});
  const auto waits = waits_of(trace, 2, StreamKind::COMP_1);
  const Wait& inner = waits[waits.size() - 2];
  EXPECT_EQ(inner.time, (Interval{2650, 2700}));
  EXPECT_EQ(inner.cause, WaitCause::launch);
}

TEST(WaitAttribution, WaitsAndBusyTimeFillTheWindowOfEveryLane) {
  const Trace trace = example_trace();
  TaskRelations relations(trace);
  for (const StepWindow& window : step_windows(trace)) {
    const auto totals = totals_per_lane(trace, attribute_waits(trace, window, relations));
    for (std::size_t lane = 0; lane < kStreamCount; ++lane) {
      std::vector<Interval> busy;
      for (const std::uint32_t span : window.spans) {
        if (trace.spans.lane[span] == lane) {
          busy.push_back(intersect(interval_of(trace.spans, span), window.time));
        }
      }
      std::int64_t sum = IntervalSet(busy).length();
      for (const std::int64_t time : totals[lane])
        sum += time;
      EXPECT_EQ(sum, window.time.length());
    }
  }
}

}  // namespace
}  // namespace quintet
