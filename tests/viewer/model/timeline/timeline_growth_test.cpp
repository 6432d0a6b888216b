// An index that grows with its trace is, after each step, the index that would have been built anew.

#include <algorithm>
#include <gtest/gtest.h>

#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"
#include "tests/viewer/model/timeline/random_timeline.h"
#include "viewer/model/timeline/timeline_frame.h"

namespace quintet::viewer {
namespace {

/// What came of a run between two looks.
struct Growth {
  std::shared_ptr<Trace> trace;
  std::size_t unchanged = 0;  ///< leading spans
};

/// A trace that grows by random batches, whose spans may come late.
class GrowingTrace {
 public:
  GrowingTrace(TestRandom& random, const TimelineTraits& traits)
      : random_(random), traits_(traits), now_ns_(traits.origin_ns) {
    TimelineTraits none = traits;
    none.spans = 0;
    trace_ = *random_timeline(random, none);
    trace_.graphs.resize(2);
    for (int thread = 0; thread < 2; ++thread) {
      Lane lane;
      lane.id = LaneId(static_cast<std::uint16_t>(trace_.lanes.size()));
      lane.name = "thread " + std::to_string(thread);
      lane.kind = LaneKind::host;
      trace_.lanes.push_back(lane);
    }
    trace_.activities.resize(2);
    trace_.activities[1].kind = ActivityKind::api_call;
  }

  /// `late_ns`: how much earlier than the newest begin new spans may begin.
  Growth grow(std::size_t spans, std::int64_t late_ns) {
    TraceBatch batch;
    TimelineTraits more = traits_;
    more.spans = spans;
    more.origin_ns = now_ns_;
    batch.spans = random_timeline(random_, more)->spans;
    for (std::size_t span = 0; span < batch.spans.size(); ++span) {
      now_ns_ = std::max(now_ns_, batch.spans.begin_ns[span]);
      if (random_.real(0, 1) < 0.2) {
        const std::int64_t earlier = random_.integer(0, late_ns);
        batch.spans.begin_ns[span] -= earlier;
        batch.spans.end_ns[span] -= earlier;
      }
      batch.spans.activity[span] =
          random_.real(0, 1) < 0.1 ? static_cast<std::uint32_t>(random_.integer(0, 1)) : kWholeTask;
      if (random_.real(0, 1) < 0.05) add_events(batch, batch.spans.begin_ns[span]);
    }
    sort_spans(batch.spans);
    Growth growth;
    if (batch.spans.size() > 0) {
      const SpanKey first = span_key(batch.spans, 0);
      while (growth.unchanged < trace_.spans.size() &&
             span_key(trace_.spans, growth.unchanged) <= first)
        ++growth.unchanged;
    } else {
      growth.unchanged = trace_.spans.size();
    }
    append(trace_, std::move(batch));
    growth.trace = std::make_shared<Trace>(trace_);
    return growth;
  }
  [[nodiscard]] Trace& trace() { return trace_; }

 private:
  void add_events(TraceBatch& batch, std::int64_t at_ns) {
    TraceLaunch launch;
    launch.lane = LaneId(traits_.lanes);
    launch.begin_ns = at_ns - random_.integer(0, 500);
    launch.end_ns = launch.begin_ns + random_.integer(0, 400);
    batch.launches.push_back(launch);
    TraceHostWait wait;
    wait.lane = LaneId(static_cast<std::uint16_t>(traits_.lanes + random_.integer(0, 1)));
    wait.begin_ns = at_ns - random_.integer(0, 500);
    wait.end_ns = wait.begin_ns + random_.integer(0, 400);
    batch.host_waits.push_back(wait);
  }

  TestRandom& random_;
  TimelineTraits traits_;
  std::int64_t now_ns_;
  Trace trace_;
};

TimelineIndex built(const std::shared_ptr<Trace>& trace, const IndexOptions& options) {
  auto index = TimelineIndex::build(trace, options);
  EXPECT_TRUE(index) << (index ? "" : to_string(index.error()));
  return std::move(*index);
}

void expect_same_rows(const TimelineIndex& one, const TimelineIndex& other, std::size_t lane) {
  const LaneRows& rows = one.rows_of(lane);
  const LaneRows& others = other.rows_of(lane);
  ASSERT_EQ(rows.collapsed, others.collapsed);
  ASSERT_EQ(rows.too_deep_at, others.too_deep_at);
  ASSERT_EQ(rows.rows.size(), others.rows.size());
  for (std::size_t row = 0; row < rows.rows.size(); ++row) {
    const RowIndex& each = rows.rows[row];
    const RowIndex& same = others.rows[row];
    ASSERT_EQ(each.size(), same.size());
    ASSERT_EQ(each.busy_ns(), same.busy_ns());
    ASSERT_EQ(each.covered_until_ns(), same.covered_until_ns());
    ASSERT_EQ(each.overlapping(), same.overlapping());
    ASSERT_EQ(each.held_bytes(), same.held_bytes());
    RowCursor cursor = one.cursor(lane, row);
    RowCursor same_cursor = other.cursor(lane, row);
    for (std::size_t entry = 0; entry < cursor.size(); ++entry) {
      const std::uint32_t position = cursor.position(entry);
      ASSERT_EQ(position, same_cursor.position(entry));
      ASSERT_EQ(one.item(lane, position), other.item(lane, position));
      ASSERT_EQ(cursor.end_ns(entry), same_cursor.end_ns(entry));
    }
  }
}

void expect_same_frames(const TimelineIndex& one, const TimelineIndex& other, TestRandom& random) {
  const LaneLayout layout(one, {});
  TimelineCamera camera;
  camera.set_width(400);
  camera.set_extent(one.extent());
  camera.zoom(random.real(1, 200), random.real(0, 400));
  const FrameRequest request{camera.view(), 0, layout.height_px() + 1};
  TimelineFrame frame;
  TimelineFrame same;
  prepare_frame(one, layout, request, frame);
  prepare_frame(other, LaneLayout(other, {}), request, same);
  ASSERT_EQ(frame.boxes.size(), same.boxes.size());
  for (std::size_t box = 0; box < frame.boxes.size(); ++box) {
    ASSERT_EQ(frame.boxes[box].item, same.boxes[box].item);
    ASSERT_EQ(frame.boxes[box].x0, same.boxes[box].x0);
  }
  ASSERT_EQ(frame.blocks.size(), same.blocks.size());
  for (std::size_t block = 0; block < frame.blocks.size(); ++block) {
    ASSERT_EQ(frame.blocks[block].time, same.blocks[block].time);
    ASSERT_EQ(frame.blocks[block].busy_ns, same.blocks[block].busy_ns);
    ASSERT_EQ(frame.blocks[block].spans, same.blocks[block].spans);
  }
}

void expect_same(const TimelineIndex& one, const TimelineIndex& other, TestRandom& random) {
  ASSERT_EQ(one.lanes().size(), other.lanes().size());
  ASSERT_EQ(one.extent(), other.extent());
  for (std::size_t lane = 0; lane < one.lanes().size(); ++lane) {
    ASSERT_EQ(lane_key(one.lanes()[lane]), lane_key(other.lanes()[lane]));
    ASSERT_EQ(one.lanes()[lane].items, other.lanes()[lane].items);
    ASSERT_NO_FATAL_FAILURE(expect_same_rows(one, other, lane)) << "lane " << lane;
  }
  ASSERT_EQ(one.held_bytes(), other.held_bytes());
  ASSERT_NO_FATAL_FAILURE(expect_same_frames(one, other, random));
}

TEST(TimelineGrowth, IsTheIndexThatWouldHaveBeenBuiltAnewAfterRandomAppends) {
  constexpr std::array kGroupings = {SpanGrouping::policy_stream, SpanGrouping::executor_stream,
                                     SpanGrouping::op_kind, SpanGrouping::layer};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    TestRandom random(seed);
    TimelineTraits traits;
    traits.lanes = static_cast<std::uint16_t>(random.integer(1, 6));
    traits.origin_ns = random.integer(-1'000'000, 1'000'000'000'000);
    traits.most_gap_ns = random.integer(1, 300);
    traits.most_duration_ns = random.integer(1, 500);
    IndexOptions options;
    options.grouping = kGroupings[seed % kGroupings.size()];
    if (seed % 3 == 0) options.collapsed.insert("0/streams/stream 0");
    if (seed % 5 == 0) options.expanded.insert("0/streams/stream 0");
    GrowingTrace growing(random, traits);
    TimelineIndex index = built(growing.grow(0, 0).trace, options);
    for (int step = 0; step < 12; ++step) {
      const auto spans = static_cast<std::size_t>(seed % 4 == 0 ? random.integer(0, 6000)
                                                                : random.integer(0, 400));
      const Growth growth = growing.grow(spans, random.integer(0, 20'000));
      auto grown = TimelineIndex::grown(index, growth.trace, growth.unchanged);
      ASSERT_TRUE(grown) << to_string(grown.error());
      index = std::move(*grown);
      expect_same(index, built(growth.trace, options), random);
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", step " << step;
    }
  }
}

TEST(TimelineGrowth, CollapsesALaneThatBecomesTooDeepOnlyLater) {
  TestRandom random(3);
  TimelineTraits traits;
  traits.lanes = 2;
  traits.most_gap_ns = 60;
  traits.most_duration_ns = 20;
  traits.long_share = 0;
  GrowingTrace growing(random, traits);
  TimelineIndex index = built(growing.grow(5000, 0).trace, {});
  EXPECT_FALSE(index.rows_of(0).collapsed);
  TraceBatch batch;
  const std::int64_t at = growing.trace().spans.begin_ns.back() + 100;
  for (int depth = 0; depth < 30; ++depth) {
    Span span;
    span.begin_ns = at + depth;
    span.end_ns = at + 1000;
    append_span(batch.spans, span);
  }
  const std::size_t unchanged = growing.trace().spans.size();
  append(growing.trace(), std::move(batch));
  const auto trace = std::make_shared<Trace>(growing.trace());
  auto grown = TimelineIndex::grown(index, trace, unchanged);
  ASSERT_TRUE(grown);
  EXPECT_TRUE(grown->rows_of(0).collapsed);
  expect_same(*grown, built(trace, {}), random);
  // What made it too deep was changed: everything is looked at again.
  auto again = TimelineIndex::grown(*grown, trace, unchanged - 10);
  ASSERT_TRUE(again);
  expect_same(*again, built(trace, {}), random);
}

TEST(TimelineGrowth, BuildsAnewWhereTablesGrew) {
  TestRandom random(5);
  GrowingTrace growing(random, {});
  const TimelineIndex index = built(growing.grow(500, 0).trace, {});
  Lane lane;
  lane.id = LaneId(static_cast<std::uint16_t>(growing.trace().lanes.size()));
  lane.name = "a late one";
  growing.trace().lanes.push_back(lane);
  const Growth growth = growing.grow(300, 100);
  const auto grown = TimelineIndex::grown(index, growth.trace, growth.unchanged);
  ASSERT_TRUE(grown);
  expect_same(*grown, built(growth.trace, {}), random);
}

TEST(TimelineGrowth, RefusesSpansOutOfOrderBehindTheUnchangedOnes) {
  TestRandom random(6);
  GrowingTrace growing(random, {});
  const TimelineIndex index = built(growing.grow(500, 0).trace, {});
  const Growth growth = growing.grow(300, 0);
  growth.trace->spans.begin_ns.back() = -1;
  EXPECT_FALSE(TimelineIndex::grown(index, growth.trace, growth.unchanged));
}

TEST(TimelineGrowth, StopsWhenTold) {
  TestRandom random(7);
  GrowingTrace growing(random, {});
  const TimelineIndex index = built(growing.grow(500, 0).trace, {});
  const Growth growth = growing.grow(200'000, 0);
  const auto stop = [](double share) { return share < 0.4; };
  EXPECT_FALSE(TimelineIndex::grown(index, growth.trace, growth.unchanged, stop));
}

}  // namespace
}  // namespace quintet::viewer
