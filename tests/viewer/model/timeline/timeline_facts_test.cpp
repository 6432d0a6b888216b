// What is counted, found and walked to on a timeline.

#include <algorithm>
#include <cctype>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

#include "profiler/analysis/interval_set.h"
#include "tests/support/gpu_trace.h"
#include "tests/support/tiny_trace.h"
#include "tests/viewer/model/timeline/random_timeline.h"
#include "viewer/model/timeline/item_facts.h"
#include "viewer/model/timeline/lane_walk.h"
#include "viewer/model/timeline/minimap.h"
#include "viewer/model/timeline/range_statistics.h"
#include "viewer/model/timeline/span_search.h"
#include "viewer/model/timeline/step_axis.h"
#include "viewer/model/timeline/step_insight.h"
#include "viewer/model/timeline/task_look.h"

namespace quintet::viewer {
namespace {

TimelineIndex index_of(const std::shared_ptr<const Trace>& trace,
                       SpanGrouping grouping = SpanGrouping::policy_stream) {
  IndexOptions options;
  options.grouping = grouping;
  auto index = TimelineIndex::build(trace, options);
  EXPECT_TRUE(index);
  return std::move(*index);
}

std::vector<std::string> names_of(const TimelineIndex& index) {
  std::vector<std::string> names;
  for (const TimelineLane& lane : index.lanes())
    names.push_back(lane.name);
  return names;
}

TEST(LaneGroups, ListEveryStreamOfThePolicyThenWhatHostsDid) {
  const TimelineIndex index = index_of(std::make_shared<Trace>(tiny_trace()));
  EXPECT_THAT(names_of(index), testing::ElementsAre("TRANS", "COMP_1", "COMP_2", "COMP_3", "UPDATE",
                                                    "launches", "HOST_MAIN waits"));
  EXPECT_EQ(index.lanes()[2].items, 0U);
  EXPECT_EQ(index.lanes()[1].items, 10U);
}

TEST(LaneGroups, CountEveryItemOfATraceOnceUnderEveryGrouping) {
  TestRandom random(9);
  const auto random_trace = random_timeline(random, {});
  for (const auto& trace : {std::shared_ptr<const Trace>(random_trace),
                            std::shared_ptr<const Trace>(std::make_shared<Trace>(tiny_trace())),
                            std::shared_ptr<const Trace>(
                                std::make_shared<Trace>(gpu_trace(GpuStepMode::sub_graphs)))}) {
    for (const SpanGrouping grouping : {SpanGrouping::policy_stream, SpanGrouping::executor_stream,
                                        SpanGrouping::op_kind, SpanGrouping::layer}) {
      const TimelineIndex index = index_of(trace, grouping);
      std::size_t held = 0;
      for (std::size_t lane = 0; lane < index.lanes().size(); ++lane) {
        std::size_t in_lane = 0;
        for (const RowIndex& row : index.rows_of(lane).rows)
          in_lane += row.size();
        EXPECT_EQ(in_lane, index.lanes()[lane].items);
        held += in_lane;
      }
      EXPECT_EQ(held, trace->spans.size() + trace->launches.size() + trace->host_waits.size());
    }
  }
}

TEST(LaneGroups, StackRanksAndKeepUnknownLanes) {
  Span known;
  known.end_ns = 5;
  Span lost;
  lost.lane = 77;
  lost.end_ns = 9;
  lost.task = 4000;
  const auto trace = timeline_of({known, lost}, 4);
  trace->lanes[1].rank = 1;
  trace->lanes[3].rank = 1;
  const TimelineIndex index = index_of(trace);
  EXPECT_THAT(names_of(index), testing::ElementsAre("stream 0", "stream 2", "(unknown lane)",
                                                    "stream 1", "stream 3"));
  EXPECT_THAT(names_of(index_of(trace, SpanGrouping::op_kind)),
              testing::Contains("(unknown task)"));
}

TEST(Minimap, SumsTheBusyLanesOfEachColumn) {
  const auto trace = std::make_shared<Trace>(tiny_trace());
  const TimelineIndex index = index_of(trace);
  const Minimap map = minimap_of(index, 50);
  std::uint64_t busy = 0;
  for (std::size_t lane = 0; lane < 5; ++lane) {
    for (const RowIndex& row : index.rows_of(lane).rows)
      busy += row.busy_ns();
  }
  double told = 0;
  for (std::size_t column = 0; column < 50; ++column) {
    told += map.busy[column] * static_cast<double>(column_begin(map.extent, column + 1, 50) -
                                                   column_begin(map.extent, column, 50));
  }
  EXPECT_NEAR(told, static_cast<double>(busy), 1e-6 * static_cast<double>(busy));
}

TEST(Minimap, OfTheWholeClockOverflowsNothing) {
  const Interval all{kEarliestNs, kLatestNs};
  std::int64_t last = kEarliestNs;
  for (std::size_t column = 1; column <= 1000; ++column) {
    const std::int64_t begin = column_begin(all, column, 1000);
    ASSERT_GT(begin, last);
    last = begin;
  }
  EXPECT_EQ(last, kLatestNs);
}

TEST(RangeStatistics, AgreeWithSetsOfIntervals) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    TestRandom random(seed);
    const auto trace = random_timeline(random, {});
    const TimelineIndex index = index_of(trace);
    const Interval& all = index.extent();
    const std::int64_t from = random.integer(all.begin, all.end);
    const Interval range{from, random.integer(from, all.end)};
    const RangeStatistics statistics = range_statistics(index, range);
    std::vector<Interval> clipped;
    std::uint64_t sum = 0;
    std::map<std::uint32_t, std::uint64_t> tasks;
    for (std::size_t i = 0; i < trace->spans.size(); ++i) {
      const Interval part =
          intersect(Interval{trace->spans.begin_ns[i], trace->spans.end_ns[i]}, range);
      if (part.empty()) continue;
      clipped.push_back(part);
      sum += static_cast<std::uint64_t>(part.length());
      tasks[trace->spans.task[i]] += static_cast<std::uint64_t>(part.length());
    }
    EXPECT_EQ(statistics.busy_ns, static_cast<std::uint64_t>(IntervalSet(clipped).length()));
    EXPECT_EQ(statistics.sum_ns, sum);
    EXPECT_GE(statistics.spans, clipped.size());
    std::uint64_t of_tasks = 0;
    for (const TaskStatistics& task : statistics.tasks) {
      EXPECT_EQ(task.sum_ns, tasks[task.task]);
      of_tasks += task.sum_ns;
    }
    EXPECT_EQ(of_tasks, sum);
  }
}

TEST(SpanSearch, FindsTasksAndKernelsWhateverTheCase) {
  const auto trace = std::make_shared<Trace>(gpu_trace(GpuStepMode::sub_graphs));
  ASSERT_FALSE(trace->activities.empty());
  const std::string kernel = trace->activities[0].name;
  EXPECT_GT(SpanSearch::of(trace, kernel).count(), 0U);
  std::string upper = trace->tasks[0].name;
  for (char& letter : upper)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  const SpanSearch search = SpanSearch::of(trace, upper);
  EXPECT_FALSE(search.tasks().empty());
  EXPECT_EQ(SpanSearch::of(trace, "no such thing").count(), 0U);
  EXPECT_FALSE(SpanSearch::of(trace, "no such thing").next(3));
  EXPECT_EQ(SpanSearch::of(trace, "").count(), 0U);
}

TEST(SpanSearch, WalksAllHitsRoundInBothDirections) {
  TestRandom random(4);
  const auto trace = random_timeline(random, {});
  const SpanSearch search = SpanSearch::of(trace, "conv3");
  ASSERT_GT(search.count(), 2U);
  std::vector<std::uint32_t> forth;
  auto at = search.next(std::nullopt);
  for (std::uint64_t hit = 0; hit < search.count(); ++hit, at = search.next(*at))
    forth.push_back(*at);
  EXPECT_EQ(forth, search.hits());
  EXPECT_EQ(*at, forth.front());
  at = search.previous(*at);
  for (auto hit = forth.rbegin(); hit != forth.rend(); ++hit, at = search.previous(*at))
    EXPECT_EQ(*at, *hit);
}

TEST(LaneWalk, VisitsEverySpanOfALaneInOrder) {
  TestRandom random(6);
  const auto trace = random_timeline(random, {});
  const TimelineIndex index = index_of(trace);
  std::vector<std::uint32_t> expected;
  for (std::uint32_t span = 0; span < trace->spans.size(); ++span) {
    if (trace->spans.lane[span] == 2) expected.push_back(span);
  }
  std::vector<std::uint32_t> walked = {expected.front()};
  while (const auto next = neighbour_in_lane(index, walked.back(), WalkDirection::next))
    walked.push_back(*next);
  EXPECT_EQ(walked, expected);
  while (const auto back = neighbour_in_lane(index, walked.back(), WalkDirection::previous))
    walked.push_back(*back);
  EXPECT_EQ(walked.size(), 2 * expected.size() - 1);
}

TEST(LaneWalk, GoesToTheNearestSpanOfTheNextLaneThatHasAny) {
  const auto trace = std::make_shared<Trace>(tiny_trace());
  const TimelineIndex index = index_of(trace);
  const auto comp_1 = nearest_span(index, 1, 1'300);
  ASSERT_TRUE(comp_1);
  EXPECT_EQ(trace->spans.begin_ns[*comp_1], 1'200);
  // COMP_2 is empty: below comes COMP_3.
  const auto below = neighbour_lane(index, *comp_1, WalkDirection::next);
  ASSERT_TRUE(below);
  EXPECT_EQ(trace->spans.begin_ns[*below], 1'600);
  EXPECT_EQ(neighbour_lane(index, *below, WalkDirection::previous).has_value(), true);
  const auto top = nearest_span(index, 0, 0);
  EXPECT_FALSE(neighbour_lane(index, *top, WalkDirection::previous));
}

TEST(StepAxis, FindsStepsAndStretchesThatWereNotRecorded) {
  Trace trace;
  for (int step = 0; step < 10; ++step) {
    TraceStep entry;
    entry.step = step;
    entry.begin_ns = 100 * step;
    entry.end_ns = 100 * step + 90;
    if (step >= 4 && step < 7) entry.recording = StepRecording::none;
    if (step == 7) entry.recording = StepRecording::disturbed;
    trace.steps.push_back(entry);
  }
  const StepAxis axis(trace);
  EXPECT_EQ(axis.step_at(-1), std::nullopt);
  EXPECT_EQ(axis.step_at(399), 3);
  EXPECT_EQ(axis.step_at(5000), 9);
  ASSERT_EQ(axis.unrecorded().size(), 2U);
  EXPECT_EQ(axis.unrecorded()[0].time, (Interval{400, 690}));
  EXPECT_EQ(axis.unrecorded()[0].last_step, 6);
  EXPECT_NE(axis.unrecorded()[1].reason, axis.unrecorded()[0].reason);
  const StepAxis::Slice seen = axis.within({150, 310});
  EXPECT_EQ(seen.first, 1U);
  EXPECT_EQ(seen.last, 4U);
}

/// Steps 0 to 9 of 100 ns, each launched while the second before it runs.
Trace trace_launched_ahead() {
  Trace trace;
  for (int step = 0; step < 10; ++step) {
    TraceStep entry;
    entry.step = step;
    entry.begin_ns = std::max(0, 100 * (step - 2));
    entry.end_ns = 100 * step + 100;
    trace.steps.push_back(entry);
  }
  return trace;
}

TEST(StepAxis, OfAStepThatWasLaunchedAheadOnlyTheTimeAfterTheStepBeforeIsItsOwn) {
  const Trace trace = trace_launched_ahead();
  const StepAxis axis(trace);
  EXPECT_EQ(axis.find(5)->time, (Interval{500, 600}));
  EXPECT_EQ(time_of_step(trace, trace.steps[5]), (Interval{500, 600}));
  EXPECT_EQ(axis.step_at(550), 5);
  EXPECT_EQ(axis.window_at(550), 5);
  const StepAxis::Slice seen = axis.within({510, 590});
  EXPECT_EQ(seen.first, 5U);
  EXPECT_EQ(seen.last, 6U);
}

TEST(StepAxis, OfAStepWithinAnotherTheTimeStays) {
  Trace trace = trace_launched_ahead();
  trace.steps[5].begin_ns = 420;
  trace.steps[5].end_ns = 480;
  const StepAxis axis(trace);
  EXPECT_EQ(axis.find(5)->time, (Interval{420, 480}));
  EXPECT_EQ(axis.find(4)->time, (Interval{400, 500}));
  EXPECT_EQ(axis.window_at(490), 4);
}

TEST(StepAxis, AlignsAMiddleStepOfAShorterSideWithAStepThatItLacks) {
  const Trace a = trace_launched_ahead();
  Trace b = a;
  b.steps.resize(4);
  for (TraceStep& step : b.steps)
    step.step -= 100;
  const StepAxis axis_a(a);
  const StepAxis axis_b(b);
  EXPECT_EQ(shift_of_b(a, axis_a, b, axis_b, 8), 800 - 200);
  EXPECT_EQ(shift_of_b(a, axis_a, b, axis_b, 3), 0) << "the same place";
}

TEST(StepAxis, ShiftsTheOtherSideSoThatTheSameStepBeginsTogether) {
  Trace a = tiny_trace();
  Trace b = tiny_serial_trace();
  for (TraceStep& step : b.steps) {
    step.begin_ns += 1'000'000;
    step.end_ns += 1'000'000;
  }
  const StepAxis axis_a(a);
  const StepAxis axis_b(b);
  const std::int64_t shift = shift_of_b(a, axis_a, b, axis_b, 3);
  EXPECT_EQ(axis_b.find(3)->time.begin + shift, axis_a.find(3)->time.begin);
  EXPECT_EQ(shift_of_b(a, axis_a, b, axis_b, std::nullopt),
            axis_a.steps()[0].time.begin - axis_b.steps()[0].time.begin);
  EXPECT_EQ(shift_of_b(Trace{}, StepAxis{}, Trace{}, StepAxis{}, 1), 0);
}

TEST(StepInsight, TellsWaitsPathAndLinksInTheTasksOfTheWholeTrace) {
  const Trace trace = tiny_trace();
  const auto insight = StepInsight::of(StepSlicer(std::make_shared<Trace>(trace)), 3);
  ASSERT_TRUE(insight) << to_string(insight.error());
  EXPECT_EQ(insight->window(), (Interval{3000, 4000}));
  EXPECT_FALSE(insight->waits().empty());
  for (const InsightWait& wait : insight->waits()) {
    EXPECT_LE(insight->window().begin, wait.time.begin);
    EXPECT_LE(wait.time.end, insight->window().end);
  }
  const auto task_named = [&trace](const std::string& part) {
    const auto found = std::find_if(
        trace.tasks.begin(), trace.tasks.end(),
        [&part](const TraceTask& task) { return task.name.find(part) != std::string::npos; });
    return static_cast<std::uint32_t>(found - trace.tasks.begin());
  };
  const auto dx = insight->run_of(task_named("dX"), 3650);
  ASSERT_TRUE(dx);
  EXPECT_EQ(insight->runs()[*dx].time, (Interval{3600, 3800}));
  bool from_forward = false;
  for (const RunLink& link : insight->links_of(*dx)) {
    if (link.to == *dx && link.kind == LinkKind::data) {
      from_forward = from_forward || insight->runs()[link.from].time == Interval{3200, 3500};
    }
  }
  EXPECT_TRUE(from_forward);
  EXPECT_FALSE(StepInsight::of(StepSlicer(std::make_shared<Trace>(trace)), 99));
}

TEST(StepInsight, OfAStepThatWasNotRecordedSaysWhy) {
  Trace trace = tiny_trace();
  trace.steps[3].recording = StepRecording::none;
  const auto insight =
      StepInsight::of(StepSlicer(std::make_shared<Trace>(trace)), trace.steps[3].step);
  ASSERT_FALSE(insight);
  EXPECT_THAT(insight.error().message, testing::HasSubstr("was not recorded"));
}

TEST(ItemFacts, TellEveryFieldOfASpanAndNeverZeroForUnknown) {
  const auto trace = std::make_shared<Trace>(gpu_trace(GpuStepMode::sub_graphs));
  const TimelineIndex index = index_of(trace);
  for (std::uint32_t span = 0; span < trace->spans.size(); ++span) {
    const auto place = index.find(ItemTable::spans, span);
    ASSERT_TRUE(place);
    TimelineHit hit;
    hit.lane = place->lane;
    hit.row = place->row;
    hit.item = span;
    const ItemCard card = item_card(index, hit, 0, nullptr);
    EXPECT_FALSE(card.title.empty());
    EXPECT_GE(card.facts.size(), 5U);
    for (const ItemFact& fact : card.facts) {
      EXPECT_FALSE(fact.value.empty()) << fact.label;
      // Steps and node ids count from 0; what is measured says unknown instead.
      if (fact.label == "duration" || fact.label == "CPU time" || fact.label == "occupancy") {
        EXPECT_NE(fact.value, "0") << fact.label;
      }
    }
  }
  EXPECT_EQ(task_looks(*trace).size(), trace->tasks.size());
}

}  // namespace
}  // namespace quintet::viewer
