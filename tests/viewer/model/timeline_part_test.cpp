#include "viewer/model/timeline_part.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "profiler/trace/trace_batch.h"
#include "tests/support/tiny_trace.h"
#include "tests/viewer/model/timeline/repeated_trace.h"
#include "viewer/live/live_trace.h"

namespace quintet::viewer {
namespace {

namespace fs = std::filesystem;

/// A workbench with a timeline, and recordings in memory that have a folder to keep notes in.
class TimelineOnAWorkbench : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "quintet-part-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  void open(Side side, Trace trace, const std::string& name) {
    Document document;
    document.trace = std::make_shared<const Trace>(std::move(trace));
    document.file = folder_ + "/" + name;
    document.generation = ++generation_;
    run(command_id::kPlace, PlaceDocument{side, document});
    settle();
  }
  void run(std::string_view id, CommandArgument argument = {}) {
    const Command command{id, std::move(argument)};
    apply_command(command, workbench_);
    PartContext context{workbench_, background_, commands_, parts_};
    part_.handle(command, context);
  }
  /// A look at many steps ends after a while and is asked for again: as often as anything is.
  void settle() {
    PartContext context{workbench_, background_, commands_, parts_};
    int quiet = 0;
    for (int round = 0; round < 10'000 && quiet < 3; ++round) {
      part_.prepare(context);
      quiet = background_.idle() ? quiet + 1 : 0;
      background_.finish();
    }
    EXPECT_EQ(quiet, 3) << "something is asked for again and again";
  }
  [[nodiscard]] Interval visible() const {
    return {workbench_.visible.begin_ns, workbench_.visible.end_ns};
  }

  std::string folder_;
  std::uint64_t generation_ = 0;
  Workbench workbench_;
  Background background_;
  CommandQueue commands_;
  Parts parts_;
  TimelinePart part_;
};

TEST_F(TimelineOnAWorkbench, ShowsAStepInTheMiddleFirstAndEverythingWhenFitted) {
  open(Side::a, tiny_trace(), "a.qtrace");
  ASSERT_NE(part_.side(Side::a).index(), nullptr);
  ASSERT_TRUE(workbench_.step);
  const StepMark* mark = part_.side(Side::a).base->steps.find(*workbench_.step);
  EXPECT_LE(visible().begin, mark->time.begin);
  EXPECT_GE(visible().end, mark->time.end);
  run(command_id::kFit);
  EXPECT_LE(visible().begin, part_.side(Side::a).index()->extent().begin);
  EXPECT_GE(visible().end, part_.side(Side::a).index()->extent().end);
}

TEST_F(TimelineOnAWorkbench, ShowsAStepOfARunThatWasOpenedBeforeItsFirstSpan) {
  Document document;
  document.live = true;
  document.file = folder_ + "/live.qtrace";
  document.trace = std::make_shared<const Trace>();
  run(command_id::kPlace, PlaceDocument{Side::a, document});
  settle();
  EXPECT_TRUE(workbench_.visible.empty()) << "there is nothing to look at yet";
  document.trace = std::make_shared<const Trace>(tiny_trace());
  run(command_id::kPlace, PlaceDocument{Side::a, document});
  settle();
  ASSERT_TRUE(workbench_.step);
  const StepMark* mark = part_.side(Side::a).base->steps.find(*workbench_.step);
  EXPECT_LE(visible().begin, mark->time.begin);
  EXPECT_GE(visible().end, mark->time.end);
}

TEST_F(TimelineOnAWorkbench, FollowsARunThatGrows) {
  Document document;
  document.live = true;
  document.file = folder_ + "/live.qtrace";
  document.history.restart();
  Trace trace = tiny_trace();
  for (int state = 0; state < 5; ++state) {
    const std::size_t spans = trace.spans.size();
    if (state > 0) {
      TraceBatch batch;
      Span span;
      span.begin_ns = trace.spans.begin_ns.back() + 10;
      span.end_ns = span.begin_ns + 50;
      append_span(batch.spans, span);
      append(trace, std::move(batch));
      document.history.grow(spans);
    }
    document.trace = std::make_shared<const Trace>(trace);
    run(command_id::kPlace, PlaceDocument{Side::a, document});
    settle();
    const TimelineIndex* index = part_.side(Side::a).index();
    ASSERT_NE(index, nullptr);
    EXPECT_EQ(&index->trace(), document.trace.get());
    EXPECT_EQ(index->lanes()[0].items, 5U + static_cast<std::size_t>(state));
    const auto last = static_cast<std::uint32_t>(trace.spans.size() - 1);
    EXPECT_TRUE(index->find(ItemTable::spans, last));
  }
}

TEST_F(TimelineOnAWorkbench, LooksAtTheStepsInView) {
  open(Side::a, tiny_trace(), "a.qtrace");
  EXPECT_NE(part_.side(Side::a).known.close(*workbench_.step), nullptr);
  EXPECT_EQ(part_.side(Side::a).known.unknown(*workbench_.step), nullptr);
}

TEST_F(TimelineOnAWorkbench, LooksAtEveryStepInViewCloselyOrFromAfar) {
  open(Side::a, repeated_trace(100), "a.qtrace");
  const TimelineSide& side = part_.side(Side::a);
  // All 500: too narrow to be looked at closely.
  run(command_id::kFit);
  settle();
  for (std::int64_t step = 0; step < 500; ++step)
    EXPECT_NE(side.known.folded(step), nullptr) << step;
  EXPECT_LE(side.known.insights().size(), 4U);
  run(command_id::kShowRange, TimeRange{100'000, 130'000});
  settle();
  for (std::int64_t step = 100; step < 130; ++step)
    EXPECT_NE(side.known.close(step), nullptr) << step;
  EXPECT_EQ(side.known.close(200), nullptr);
  // More than there is room for.
  open(Side::a, repeated_trace(200), "b.qtrace");
  run(command_id::kFit);
  settle();
  EXPECT_LT(side.known.insights().size(), 8U);
}

TEST_F(TimelineOnAWorkbench, AsksForNothingMoreOnceTheStepsInViewAreKnown) {
  open(Side::a, repeated_trace(100), "a.qtrace");
  run(command_id::kNextSpan);
  ASSERT_TRUE(workbench_.selection.span);
  const std::int64_t begin =
      part_.side(Side::a).index()->trace().spans.begin_ns[*workbench_.selection.span];
  // More steps than are kept closely, the selected one far from the last of them.
  for (std::int64_t from = 300'000; from < 480'000; from += 40'000) {
    run(command_id::kShowRange, TimeRange{from, from + 40'000});
    settle();
    PartContext context{workbench_, background_, commands_, parts_};
    part_.prepare(context);
    EXPECT_TRUE(background_.idle());
  }
  ASSERT_NE(part_.side(Side::a).known.close_at(begin), nullptr);
  EXPECT_TRUE(part_.side(Side::a).known.close_at(begin)->linked());
  EXPECT_LE(part_.side(Side::a).known.insights().size(), KnownSteps::kMostClose);
}

TEST_F(TimelineOnAWorkbench, CanTellLinksOfTheStepThatIsSelected) {
  open(Side::a, repeated_trace(4), "a.qtrace");
  run(command_id::kNextSpan);
  settle();
  ASSERT_TRUE(workbench_.selection.span);
  const TimelineSide& side = part_.side(Side::a);
  const std::int64_t begin = side.index()->trace().spans.begin_ns[*workbench_.selection.span];
  const StepInsight* insight = side.known.close_at(begin);
  ASSERT_NE(insight, nullptr);
  EXPECT_TRUE(insight->linked());
}

TEST_F(TimelineOnAWorkbench, KeepsWhatItKnowsOfTheFinishedStepsOfARunThatGrows) {
  Document document;
  document.live = true;
  document.file = folder_ + "/live.qtrace";
  document.history.restart();
  Trace trace = repeated_trace(4);
  document.trace = std::make_shared<const Trace>(trace);
  run(command_id::kPlace, PlaceDocument{Side::a, document});
  settle();
  run(command_id::kFit);
  settle();
  const TimelineSide& side = part_.side(Side::a);
  const StepInsight* known = side.known.close(10);
  ASSERT_NE(known, nullptr);
  document.history.grow(trace.spans.size());
  append(trace, tiny_steps(4));
  document.trace = std::make_shared<const Trace>(trace);
  run(command_id::kPlace, PlaceDocument{Side::a, document});
  settle();
  EXPECT_EQ(side.known.close(10), known) << "not looked at again";
  run(command_id::kFit);
  settle();
  EXPECT_NE(side.known.close(23), nullptr);
}

TEST_F(TimelineOnAWorkbench, FollowsARunThatAnotherThreadWrites) {
  constexpr std::int64_t kBatches = 120;
  LiveTrace live(1'000'000);
  live.begin(tiny_trace());
  std::thread writer([&live] {
    for (std::int64_t batch = 1; batch < kBatches; ++batch) {
      live.append(tiny_steps(batch));
      while (!live.publish())
        std::this_thread::yield();
    }
  });
  Document document;
  document.live = true;
  document.file = folder_ + "/live.qtrace";
  const std::size_t spans = tiny_trace().spans.size();
  std::size_t shown = 0;
  while (shown < kBatches * spans) {
    const LiveSnapshot snapshot = live.snapshot();
    document.trace = snapshot.trace;
    document.history = snapshot.history;
    run(command_id::kPlace, PlaceDocument{Side::a, document});
    run(command_id::kFit);
    PartContext context{workbench_, background_, commands_, parts_};
    background_.collect();
    part_.prepare(context);
    const TimelineIndex* index = part_.side(Side::a).index();
    if (index == nullptr) continue;
    std::size_t items = 0;
    for (const TimelineLane& lane : index->lanes())
      items += table_of(lane.section) == ItemTable::spans ? lane.items : 0;
    ASSERT_EQ(items, index->trace().spans.size());
    shown = items;
  }
  writer.join();
  run(command_id::kFit);
  // Steps are looked at for 50 ms at a time: under a sanitizer that takes many times.
  const auto last = [this] { return part_.side(Side::a).known.folded(5 * kBatches - 1); };
  for (int round = 0; round < 50 && last() == nullptr; ++round)
    settle();
  EXPECT_NE(last(), nullptr);
}

TEST_F(TimelineOnAWorkbench, WalksFromSpanToSpanAndLaneToLane) {
  open(Side::a, tiny_trace(), "a.qtrace");
  run(command_id::kNextSpan);
  ASSERT_TRUE(workbench_.selection.span);
  const std::size_t first = *workbench_.selection.span;
  run(command_id::kNextSpan);
  EXPECT_GT(*workbench_.selection.span, first);
  run(command_id::kPreviousSpan);
  EXPECT_EQ(*workbench_.selection.span, first);
  run(command_id::kLaneBelow);
  EXPECT_NE(workbench_.selection.lane, part_.side(Side::a).index()->trace().spans.lane[first]);
}

TEST_F(TimelineOnAWorkbench, SearchesAndGoesFromHitToHit) {
  open(Side::a, tiny_trace(), "a.qtrace");
  run(command_id::kSearchFor, std::string("dx"));
  settle();
  ASSERT_NE(part_.side(Side::a).search, nullptr);
  EXPECT_EQ(part_.side(Side::a).search->count(), 5U);
  run(command_id::kNextHit);
  const auto hit = workbench_.selection.span;
  ASSERT_TRUE(hit);
  EXPECT_TRUE(part_.side(Side::a).search->matches(*hit));
  run(command_id::kSearchFor, std::string());
  settle();
  EXPECT_EQ(part_.side(Side::a).search, nullptr);
}

TEST_F(TimelineOnAWorkbench, MeasuresARange) {
  open(Side::a, tiny_trace(), "a.qtrace");
  run(command_id::kMeasureRange, TimeRange{1000, 2000});
  settle();
  ASSERT_NE(part_.statistics(), nullptr);
  EXPECT_EQ(part_.statistics()->spans, 5U);
  EXPECT_EQ(part_.statistics()->sum_ns, 950U);
  run(command_id::kMeasureRange, TimeRange{});
  EXPECT_TRUE(part_.measured().empty());
}

TEST_F(TimelineOnAWorkbench, KeepsBookmarksBesideTheRecording) {
  open(Side::a, tiny_trace(), "a.qtrace");
  run(command_id::kNextSpan);
  run(command_id::kAddBookmark);
  run(command_id::kNoteBookmark, std::string("look here"));
  ASSERT_EQ(part_.side(Side::a).bookmarks.size(), 1U);
  open(Side::a, tiny_serial_trace(), "b.qtrace");
  EXPECT_TRUE(part_.side(Side::a).bookmarks.empty());
  open(Side::a, tiny_trace(), "a.qtrace");
  ASSERT_EQ(part_.side(Side::a).bookmarks.size(), 1U);
  EXPECT_EQ(part_.side(Side::a).bookmarks[0].note, "look here");
  run(command_id::kGoToBookmark, std::int64_t{0});
  EXPECT_EQ(part_.bookmark(), 0U);
  run(command_id::kRemoveBookmark, std::int64_t{0});
  EXPECT_TRUE(load_bookmarks(folder_ + "/a.qtrace").bookmarks.empty());
}

TEST_F(TimelineOnAWorkbench, AlignsTwoRecordingsAndTellsWhatMoved) {
  open(Side::a, tiny_trace(), "a.qtrace");
  Trace other = tiny_trace();
  for (TraceStep& step : other.steps) {
    step.begin_ns += 7000;
    step.end_ns += 7000;
  }
  for (std::size_t span = 0; span < other.spans.size(); ++span) {
    other.spans.begin_ns[span] += 7000;
    other.spans.end_ns[span] += 7000;
  }
  other.tasks[0].policy_lane = LaneId(2);
  open(Side::b, std::move(other), "b.qtrace");
  EXPECT_EQ(part_.shift_ns(Side::b), -7000);
  EXPECT_EQ(part_.shift_ns(Side::a), 0);
  ASSERT_FALSE(part_.moved().empty());
  EXPECT_TRUE(part_.moved()[0]);
  EXPECT_FALSE(part_.moved()[1]);
}

TEST_F(TimelineOnAWorkbench, CollapsesALaneWhenAsked) {
  Trace trace = tiny_trace();
  open(Side::a, std::move(trace), "a.qtrace");
  const std::string key = lane_key(part_.side(Side::a).index()->lanes()[1]);
  run(command_id::kCollapseLane, key);
  settle();
  EXPECT_TRUE(part_.side(Side::a).index()->rows_of(1).collapsed);
  run(command_id::kExpandLane, key);
  settle();
  EXPECT_FALSE(part_.side(Side::a).index()->rows_of(1).collapsed);
}

TEST_F(TimelineOnAWorkbench, SaysWhyATraceCannotBeLaidOut) {
  Trace trace = tiny_trace();
  std::swap(trace.spans.begin_ns.front(), trace.spans.begin_ns.back());
  open(Side::a, std::move(trace), "a.qtrace");
  EXPECT_EQ(part_.side(Side::a).index(), nullptr);
  EXPECT_THAT(part_.side(Side::a).base->error, testing::HasSubstr("sort the spans"));
  run(command_id::kNextSpan);
  run(command_id::kZoomIn);
}

TEST_F(TimelineOnAWorkbench, BearsAnEmptyRecordingAndNone) {
  run(command_id::kZoomIn);
  run(command_id::kAddBookmark);
  settle();
  open(Side::a, Trace{}, "empty.qtrace");
  run(command_id::kNextSpan);
  run(command_id::kFit);
  run(command_id::kZoomToSelection);
  EXPECT_TRUE(part_.side(Side::a).index() != nullptr);
}

}  // namespace
}  // namespace quintet::viewer
