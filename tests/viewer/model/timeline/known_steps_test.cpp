// What is found out about steps, how, and how long it stays known.

#include "viewer/model/timeline/known_steps.h"

#include <gtest/gtest.h>

#include "profiler/trace/trace_trim.h"
#include "tests/support/gpu_trace.h"
#include "tests/support/random.h"
#include "tests/viewer/model/timeline/repeated_trace.h"

namespace quintet::viewer {
namespace {

StepSlicer slicer_of(Trace trace) {
  return StepSlicer(std::make_shared<const Trace>(std::move(trace)));
}

/// What of a trace a step can be told from.
void expect_same_rows(const Trace& one, const Trace& other) {
  EXPECT_EQ(one.spans.begin_ns, other.spans.begin_ns);
  EXPECT_EQ(one.spans.end_ns, other.spans.end_ns);
  EXPECT_EQ(one.spans.task, other.spans.task);
  EXPECT_EQ(one.spans.step, other.spans.step);
  EXPECT_EQ(one.spans.activity, other.spans.activity);
  const auto expect_same_times = [](const auto& rows, const auto& others) {
    ASSERT_EQ(rows.size(), others.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
      EXPECT_EQ(rows[row].begin_ns, others[row].begin_ns);
      EXPECT_EQ(rows[row].end_ns, others[row].end_ns);
      EXPECT_EQ(rows[row].step, others[row].step);
    }
  };
  expect_same_times(one.steps, other.steps);
  expect_same_times(one.launches, other.launches);
  expect_same_times(one.host_waits, other.host_waits);
  EXPECT_EQ(one.untimed.size(), other.untimed.size());
  EXPECT_EQ(one.tasks.size(), other.tasks.size());
  EXPECT_EQ(one.graphs.size(), other.graphs.size());
}

/// A long trace with spans that serve steps far from them, or reach over many.
Trace disordered_trace(TestRandom& random) {
  Trace trace = repeated_trace(200);
  SpanColumns& spans = trace.spans;
  for (int change = 0; change < 200; ++change) {
    const auto span = static_cast<std::size_t>(random.integer(0, spans.size() - 1));
    if (change % 3 == 0) spans.end_ns[span] += random.integer(0, 200'000);
    if (change % 3 == 1) spans.step[span] = static_cast<std::int32_t>(random.integer(-1, 999));
    if (change % 3 == 2) spans.end_ns[span] = spans.begin_ns[span];
  }
  sort_spans(spans);
  trace.activities.resize(1);  // that of the untimed ones
  trace.untimed.resize(3000);
  for (TraceUntimed& untimed : trace.untimed)
    untimed.step = static_cast<std::int32_t>(random.integer(-1, 999));
  return trace;
}

TEST(StepSlicer, GivesWhatTheWholeTraceWouldForAnyStep) {
  TestRandom random(1);
  const Trace trace = disordered_trace(random);
  const StepSlicer slicer = slicer_of(trace);
  for (int look = 0; look < 30; ++look) {
    const std::int64_t last = random.integer(0, 999);
    const StepRange range{last - random.integer(0, 2), last};
    expect_same_rows(trim_trace(slicer.around(range), range), trim_trace(trace, range));
  }
  EXPECT_EQ(slicer.around({5000, 5001}).steps.size(), 0U);
}

TEST(StepSlicer, LooksAtFewSpansBesideThoseOfTheStep) {
  Trace trace = repeated_trace(2000);
  for (std::size_t span = 0; span < trace.spans.size(); span += 7)
    trace.spans.step[span] = -1;
  const Trace part = slicer_of(std::move(trace)).around({5000, 5001});
  EXPECT_GE(part.spans.size(), 10U);
  EXPECT_LE(part.spans.size(), 3000U);
}

TEST(StepSlicer, FollowsATraceThatGrows) {
  TestRandom random(2);
  Trace trace = repeated_trace(1);
  StepSlicer slicer = slicer_of(trace);
  for (std::int64_t time = 1; time < 150; ++time) {
    TraceBatch batch = tiny_steps(time);
    // Some come late, by up to forty steps.
    for (std::size_t span = 0; span < batch.spans.size(); ++span) {
      const std::int64_t earlier = random.integer(0, 9) == 0 ? random.integer(0, 40'000) : 0;
      batch.spans.begin_ns[span] -= earlier;
      batch.spans.end_ns[span] -= earlier;
    }
    sort_spans(batch.spans);
    std::size_t unchanged = 0;
    while (unchanged < trace.spans.size() &&
           span_key(trace.spans, unchanged) < span_key(batch.spans, 0))
      ++unchanged;
    append(trace, std::move(batch));
    slicer = StepSlicer(slicer, std::make_shared<const Trace>(trace), unchanged);
    const StepRange range{random.integer(0, 5 * time), 5 * time + 4};
    expect_same_rows(
        trim_trace(slicer.around({range.first, range.first}), {range.first, range.first}),
        trim_trace(trace, {range.first, range.first}));
  }
}

TEST(FoldedStep, AddsUpWhatTheInsightTells) {
  for (const Trace& trace : {tiny_trace(), tiny_serial_trace(), gpu_trace(GpuStepMode::whole_step),
                             gpu_trace(GpuStepMode::sub_graphs)}) {
    const auto insight = StepInsight::of(slicer_of(trace), 3);
    ASSERT_TRUE(insight) << to_string(insight.error());
    const FoldedStep folded = fold(*insight);
    EXPECT_EQ(folded.window, insight->window());
    std::int64_t waits = 0;
    std::int64_t path = 0;
    for (const FoldedLane& lane : folded.lanes) {
      for (const std::int64_t wait : lane.waits_ns)
        waits += wait;
      path += lane.path_ns;
      EXPECT_EQ(folded.find(lane.lane), &lane);
    }
    for (const InsightWait& wait : insight->waits())
      waits -= wait.time.length();
    EXPECT_EQ(waits, 0);
    for (const PathPiece& piece : insight->path())
      path -= piece.lane ? piece.time.length() : 0;
    EXPECT_EQ(path, 0);
    ASSERT_NE(folded.path_lane(), nullptr);
    EXPECT_EQ(folded.find(77), nullptr);
  }
}

TEST(KnownSteps, KnowWhatIsCriticalFromAfarAsTheyDoFromClose) {
  const StepSlicer slicer = slicer_of(repeated_trace(4));
  KnownSteps close;
  KnownSteps folded;
  for (std::int64_t step = 2; step < 12; ++step) {
    auto insight = StepInsight::of(slicer, step);
    ASSERT_TRUE(insight);
    folded.add(fold(*insight), {2, 12, {}});
    close.add(std::move(*insight), {2, 12, {}});
  }
  const SpanColumns& spans = slicer.trace().spans;
  std::size_t critical = 0;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    if (spans.step[span] < 4 || spans.step[span] > 9) continue;
    const auto known = close.critical(spans.task[span], spans.step[span]);
    ASSERT_TRUE(known);
    EXPECT_EQ(folded.critical(spans.task[span], spans.step[span]), known);
    critical += *known ? 1 : 0;
  }
  EXPECT_GT(critical, 0U);
  EXPECT_FALSE(close.critical(0, 500));
}

TEST(KnownSteps, KeepTheOnesInViewWithinTheirBounds) {
  KnownSteps known;
  const StepsInView seen{10'000, 10'100, {}};
  for (std::int64_t step = 0; step < 12'000; ++step) {
    FoldedStep folded;
    folded.step = step;
    known.add(std::move(folded), seen);
    known.add_unknown(20'000 - step, "not recorded", seen);
  }
  for (std::int64_t step = seen.first; step <= seen.last; ++step) {
    EXPECT_NE(known.folded(step), nullptr);
    EXPECT_NE(known.unknown(step), nullptr);
  }
  EXPECT_EQ(known.folded(0), nullptr);
  FoldedStep far;
  far.step = 3;
  known.add(std::move(far), {seen.first, seen.last, {3}});
  EXPECT_NE(known.folded(3), nullptr) << "held";
  EXPECT_EQ(known.unknown(20'000), nullptr);
  EXPECT_LT(known.held_bytes(), 2 * KnownSteps::kMostFolded * 400);
  known.forget_from(10'050);
  EXPECT_NE(known.folded(10'049), nullptr);
  EXPECT_EQ(known.folded(10'050), nullptr);
  EXPECT_EQ(known.unknown(10'060), nullptr);
}

TEST(KnownSteps, KeepLinksOfTheOneAloneThatWasAskedForLast) {
  const StepSlicer slicer = slicer_of(repeated_trace(20));
  KnownSteps known;
  for (const std::int64_t step : {50, 20, 90, 40}) {
    auto insight = StepInsight::of(slicer, step);
    ASSERT_TRUE(insight);
    EXPECT_TRUE(insight->linked());
    known.add(std::move(*insight), {0, 99, {}});
  }
  EXPECT_FALSE(known.close(50)->linked());
  EXPECT_FALSE(known.close(20)->linked());
  EXPECT_FALSE(known.close(90)->linked());
  EXPECT_TRUE(known.close(40)->linked());
  EXPECT_TRUE(known.close(50)->links_of(0).empty());
  EXPECT_FALSE(known.close(50)->waits().empty());
  for (std::int64_t step = 0; step < 95; ++step) {
    auto insight = StepInsight::of(slicer, step);
    ASSERT_TRUE(insight);
    known.add(insight->without_links(), {0, 60, {}});
  }
  EXPECT_EQ(known.insights().size(), KnownSteps::kMostClose);
  EXPECT_NE(known.close(30), nullptr);
  EXPECT_EQ(known.close_at(30'500), known.close(30));
  EXPECT_EQ(known.close(94), nullptr);
  EXPECT_NE(known.folded(94), nullptr);
}

}  // namespace
}  // namespace quintet::viewer
