#include "viewer/live/live_trace.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "profiler/trace/span_order.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

constexpr std::size_t kPlenty = 1'000'000;

Trace growing_trace(std::int64_t steps) {
  Trace trace = sample_trace(steps);
  trace.state = RecordingState::growing;
  return trace;
}

TEST(LiveTrace, ShowsNothingBeforeThereIsAPlan) {
  LiveTrace live(kPlenty);
  EXPECT_EQ(live.snapshot().trace, nullptr);
  live.append(sample_step(0));
  EXPECT_TRUE(live.publish());
  EXPECT_EQ(live.snapshot().trace, nullptr);
}

TEST(LiveTrace, GrowsStepByStep) {
  LiveTrace live(kPlenty);
  live.begin(sample_plan());
  EXPECT_EQ(describe(*live.snapshot().trace), describe(growing_trace(0)));
  std::uint64_t generation = live.snapshot().generation;
  for (std::int64_t step = 0; step < 20; ++step) {
    live.append(sample_step(step));
    ASSERT_TRUE(live.publish());
    EXPECT_GT(live.snapshot().generation, generation);
    generation = live.snapshot().generation;
    EXPECT_EQ(describe(*live.snapshot().trace), describe(growing_trace(step + 1))) << step;
  }
}

TEST(LiveTrace, IsTheSameSnapshotWhileNothingComes) {
  LiveTrace live(kPlenty);
  live.begin(sample_plan());
  const LiveSnapshot first = live.snapshot();
  EXPECT_TRUE(live.publish());
  EXPECT_EQ(live.snapshot().trace, first.trace);
  EXPECT_EQ(live.snapshot().generation, first.generation);
}

/// True where the first spans of two traces are the same.
bool share_spans(const Trace& one, const Trace& other, std::size_t count) {
  for (std::size_t span = 0; span < count; ++span) {
    if (span_key(one.spans, span) != span_key(other.spans, span)) return false;
  }
  return true;
}

TEST(LiveTrace, TellsHowManySpansItSharesWithEarlierSnapshots) {
  LiveTrace live(kPlenty);
  live.begin(sample_plan());
  std::vector<std::pair<Trace, SpanHistory>> earlier;
  // Steps in this order: some come late.
  for (const std::int64_t step : {0, 1, 2, 5, 6, 3, 4, 9, 8, 7, 10, 11}) {
    live.append(sample_step(step));
    ASSERT_TRUE(live.publish());
    const LiveSnapshot now = live.snapshot();
    EXPECT_GE(now.history.shared_with(now.history), now.trace->spans.size());
    for (const auto& [trace, history] : earlier) {
      const std::size_t shared = std::min(now.history.shared_with(history), trace.spans.size());
      ASSERT_TRUE(share_spans(*now.trace, trace, shared)) << step;
      const bool more = shared < trace.spans.size();
      EXPECT_FALSE(more && share_spans(*now.trace, trace, shared + 1)) << step;
    }
    earlier.emplace_back(*now.trace, now.history);
  }
  live.begin(sample_plan());
  EXPECT_EQ(live.snapshot().history.shared_with(earlier.back().second), 0U);
}

TEST(LiveTrace, ASnapshotNeverChangesWhileItIsHeld) {
  LiveTrace live(kPlenty);
  live.begin(sample_plan());
  live.append(sample_step(0));
  live.publish();
  const LiveSnapshot held = live.snapshot();
  const std::string before = describe(*held.trace);
  for (std::int64_t step = 1; step < 30; ++step) {
    live.append(sample_step(step));
    EXPECT_TRUE(live.publish()) << "one that is held does not stop the others";
  }
  EXPECT_EQ(describe(*held.trace), before);
  EXPECT_EQ(describe(*live.snapshot().trace), describe(growing_trace(30)));
}

TEST(LiveTrace, WaitsWhereAllItsCopiesAreHeldAndCatchesUpThen) {
  LiveTrace live(kPlenty);
  live.begin(sample_plan());
  std::vector<LiveSnapshot> held;
  std::int64_t step = 0;
  bool published = true;
  while (published && step < 10) {
    held.push_back(live.snapshot());
    live.append(sample_step(step++));
    published = live.publish();
  }
  EXPECT_FALSE(published);
  EXPECT_EQ(held.size(), 3U);
  for (; step < 10; ++step) {
    live.append(sample_step(step));
    EXPECT_FALSE(live.publish());
  }
  held.clear();
  EXPECT_TRUE(live.publish());
  EXPECT_EQ(describe(*live.snapshot().trace), describe(growing_trace(10)));
}

TEST(LiveTrace, ItsEndBringsStateProvenanceAndFindings) {
  LiveTrace live(kPlenty);
  live.begin(sample_plan());
  live.append(sample_step(0));
  live.end({RecordingState::complete,
            {{"weights_hash", "00"}},
            std::vector<Finding>{{Severity::info, "a", "a", 1}},
            {{Severity::data_loss, "b", "b", 2}}});
  live.append(sample_step(1));  // too late
  EXPECT_TRUE(live.publish());
  Trace expected = sample_trace(1);
  expected.provenance["weights_hash"] = "00";
  expected.findings = {{Severity::info, "a", "a", 1}, {Severity::data_loss, "b", "b", 2}};
  EXPECT_EQ(describe(*live.snapshot().trace), describe(expected));
}

TEST(LiveTrace, SnapshotsOutliveItAndTheNextRun) {
  LiveSnapshot old;
  {
    LiveTrace live(kPlenty);
    live.begin(sample_plan());
    live.append(sample_step(0));
    live.publish();
    old = live.snapshot();
    live.begin(sample_plan());
    EXPECT_EQ(live.snapshot().trace->steps.size(), 0U);
    EXPECT_GT(live.snapshot().generation, old.generation);
    live.clear();
    EXPECT_EQ(live.snapshot().trace, nullptr);
  }
  EXPECT_EQ(describe(*old.trace), describe(growing_trace(1)));
}

TEST(LiveTrace, LeavesOutWhatMakesNoSenseAndCountsIt) {
  LiveTrace live(kPlenty);
  live.begin(sample_plan());
  TraceBatch batch = sample_step(0);
  const auto all = static_cast<std::int64_t>(batch.spans.size());
  batch.spans.task[0] = 1'000'000;
  batch.spans.lane[1] = 500;
  batch.spans.end_ns[2] = batch.spans.begin_ns[2] - 1;
  batch.launches[0].graph = 9;
  batch.steps[0].end_ns = -1;
  batch.host_waits[0].lane = LaneId(4);  // the lanes of the plan and that of the batch are 0 to 3
  live.append(std::move(batch));
  live.publish();
  EXPECT_EQ(live.senseless().spans, 3);
  EXPECT_EQ(live.senseless().rows, 3);
  EXPECT_EQ(live.snapshot().trace->spans.size(), static_cast<std::size_t>(all - 3));
}

TEST(LiveTrace, HoldsNoMoreSpansThanItMay) {
  const std::size_t each = sample_step(0).spans.size();
  LiveTrace live(3 * each - 1);
  live.begin(sample_plan());
  for (std::int64_t step = 0; step < 5; ++step)
    live.append(sample_step(step));
  live.publish();
  EXPECT_EQ(live.snapshot().trace->spans.size(), 3 * each - 1);
  EXPECT_EQ(live.left_out_spans(), static_cast<std::int64_t>(2 * each + 1));
  EXPECT_EQ(live.snapshot().trace->steps.size(), 5U) << "steps are never left out";
}

TEST(LiveTrace, SpansThatComeLateAreInTheirPlace) {
  LiveTrace live(kPlenty);
  live.begin(sample_plan());
  for (const std::int64_t step : {0, 3, 1, 2})
    live.append(sample_step(step));
  live.publish();
  EXPECT_TRUE(spans_sorted(live.snapshot().trace->spans));
}

}  // namespace
}  // namespace quintet
