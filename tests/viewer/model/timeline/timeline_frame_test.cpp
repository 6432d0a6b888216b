#include "viewer/model/timeline/timeline_frame.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "profiler/analysis/interval_set.h"
#include "tests/viewer/model/timeline/random_timeline.h"

namespace quintet::viewer {
namespace {

TimelineIndex index_of(const std::shared_ptr<Trace>& trace, IndexOptions options = {}) {
  auto index = TimelineIndex::build(trace, options);
  EXPECT_TRUE(index) << (index ? "" : to_string(index.error()));
  return std::move(*index);
}

FrameRequest all_of(const TimelineIndex& index, const LaneLayout& layout, double width) {
  TimelineCamera camera;
  camera.set_width(width);
  camera.set_extent(index.extent());
  camera.fit();
  return {camera.view(), 0, std::max(1.0, layout.height_px())};
}

/// Holds a frame against the trace: every wide span once, and between boxes the union's length.
void expect_true_frame(const TimelineIndex& index, const FrameRequest& request,
                       const TimelineFrame& frame) {
  const Trace& trace = index.trace();
  const Interval range = request.view.range();
  std::map<std::pair<std::uint32_t, std::uint32_t>, IntervalSet> rows;
  for (std::size_t lane = 0; lane < index.lanes().size(); ++lane) {
    for (std::size_t row = 0; row < index.rows_of(lane).rows.size(); ++row) {
      RowCursor cursor = index.cursor(lane, row);
      std::vector<Interval> spans;
      for (std::size_t entry = 0; entry < cursor.size(); ++entry)
        spans.push_back({cursor.begin_ns(entry), cursor.end_ns(entry)});
      rows.try_emplace({static_cast<std::uint32_t>(lane), static_cast<std::uint32_t>(row)},
                       std::move(spans));
    }
  }
  std::multiset<std::uint32_t> boxes;
  for (const SpanBox& box : frame.boxes)
    boxes.insert(box.item);
  for (std::uint32_t i = 0; i < trace.spans.size(); ++i) {
    const Interval time{trace.spans.begin_ns[i], trace.spans.end_ns[i]};
    const bool wide = static_cast<double>(time.length()) >= kFoldPx * request.view.ns_per_px &&
                      time.begin < range.end && time.end > range.begin &&
                      !index.rows_of(index.groups().of_span(trace.spans, i)).collapsed;
    ASSERT_EQ(boxes.count(i), wide ? 1U : 0U) << "span " << i;
  }
  // What blocks say is exact, and they and the boxes tell of all that is busy.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> told;
  for (const DensityBlock& block : frame.blocks) {
    const IntervalSet& all = rows.at({block.lane, block.row});
    ASSERT_EQ(static_cast<std::int64_t>(block.busy_ns), all.within(block.time).length());
    ASSERT_LE(block.time.length(), frame.block_ns + frame.block_ns / 4);
    ASSERT_GT(block.time.length(), 0);
    told[{block.lane, block.row}] += static_cast<std::int64_t>(block.busy_ns);
  }
  for (const SpanBox& box : frame.boxes) {
    const Interval time = index.time_of(ItemTable::spans, box.item);
    told[{box.lane, box.row}] += intersect(time, range).length();
  }
  for (const auto& [row, spans] : rows) {
    ASSERT_EQ(told[row], spans.within(range).length())
        << "lane " << row.first << ", row " << row.second;
  }
}

TEST(TimelineFrame, ShowsEveryWideSpanOnceAndTheExactUnionBetweenThem) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    TestRandom random(seed);
    TimelineTraits traits;
    traits.spans = static_cast<std::size_t>(random.integer(1, 1500));
    traits.lanes = static_cast<std::uint16_t>(random.integer(1, 5));
    traits.origin_ns = random.integer(-1'000'000, 1'000'000'000'000'000'000);
    traits.most_gap_ns = random.integer(1, 300);
    traits.most_duration_ns = random.integer(1, 400);
    const auto trace = random_timeline(random, traits);
    IndexOptions options;
    if (seed % 3 == 0) options.collapsed.insert("0/streams/stream 0");
    const TimelineIndex index = index_of(trace, options);
    const LaneLayout layout(index, {});
    TimelineCamera camera;
    camera.set_width(300);
    camera.set_extent(index.extent());
    TimelineFrame frame;
    for (int look = 0; look < 25; ++look) {
      camera.zoom(random.real(0.5, 3), random.real(0, 300));
      camera.pan(random.real(-100, 100));
      const FrameRequest request{camera.view(), 0, layout.height_px() + 1};
      prepare_frame(index, layout, request, frame);
      expect_true_frame(index, request, frame);
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", look " << look;
    }
  }
}

TEST(TimelineFrame, OfManyBlocksOfSpansIsAsTrue) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    TestRandom random(seed);
    TimelineTraits traits;
    traits.spans = static_cast<std::size_t>(random.integer(10'000, 40'000));
    traits.lanes = static_cast<std::uint16_t>(random.integer(1, 3));
    traits.most_gap_ns = seed % 4 == 0 ? 2'000'000'000 : random.integer(1, 300);
    traits.most_duration_ns = random.integer(1, 400);
    traits.long_share = seed % 3 == 0 ? 0.1 : 0.005;
    const auto trace = random_timeline(random, traits);
    IndexOptions options;
    if (seed % 5 == 0) options.collapsed.insert("0/streams/stream 0");
    const TimelineIndex index = index_of(trace, options);
    const LaneLayout layout(index, {});
    TimelineCamera camera;
    camera.set_width(500);
    camera.set_extent(index.extent());
    TimelineFrame frame;
    for (int look = 0; look < 8; ++look) {
      const FrameRequest request{camera.view(), 0, layout.height_px() + 1};
      prepare_frame(index, layout, request, frame);
      expect_true_frame(index, request, frame);
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", look " << look;
      camera.zoom(random.real(1.5, 6), random.real(0, 500));
    }
  }
}

TEST(TimelineFrame, KeepsSubRowsFreeOfOverlaps) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    TestRandom random(seed);
    TimelineTraits traits;
    traits.most_duration_ns = 300;
    const auto trace = random_timeline(random, traits);
    IndexOptions options;
    for (int lane = 0; lane < traits.lanes; ++lane)
      options.expanded.insert("0/streams/stream " + std::to_string(lane));
    const TimelineIndex index = index_of(trace, options);
    std::size_t spans = 0;
    for (std::size_t lane = 0; lane < index.lanes().size(); ++lane) {
      for (std::size_t row = 0; row < index.rows_of(lane).rows.size(); ++row) {
        EXPECT_FALSE(index.rows_of(lane).rows[row].overlapping());
        RowCursor cursor = index.cursor(lane, row);
        spans += cursor.size();
        for (std::size_t entry = 1; entry < cursor.size(); ++entry)
          ASSERT_LE(cursor.end_ns(entry - 1), cursor.begin_ns(entry));
      }
    }
    EXPECT_EQ(spans, trace->spans.size());
  }
}

TEST(TimelineFrame, FindsUnderThePointerWhatItShowsThere) {
  TestRandom random(7);
  const auto trace = random_timeline(random, {});
  const TimelineIndex index = index_of(trace);
  const LaneLayout layout(index, {});
  TimelineCamera camera;
  camera.set_width(800);
  camera.set_extent(index.extent());
  camera.zoom(8, 400);
  const FrameRequest request{camera.view(), 0, layout.height_px()};
  TimelineFrame frame;
  prepare_frame(index, layout, request, frame);
  ASSERT_FALSE(frame.boxes.empty());
  ASSERT_FALSE(frame.blocks.empty());
  for (const SpanBox& box : frame.boxes) {
    const auto hit = hit_test(index, layout, request, (box.x0 + box.x1) / 2, box.y + 5);
    ASSERT_TRUE(hit);
    EXPECT_EQ(hit->item, box.item);
    EXPECT_EQ(hit->lane, box.lane);
    EXPECT_EQ(hit->row, box.row);
  }
  for (const DensityBlock& block : frame.blocks) {
    const auto hit = hit_test(index, layout, request, (block.x0 + block.x1) / 2, block.y + 5);
    ASSERT_TRUE(hit);
    if (block.x1 - block.x0 < 1.5) continue;  // cut by a box: the pointer may be beside it
    EXPECT_FALSE(hit->item);
    ASSERT_TRUE(hit->density);
    EXPECT_GE(hit->density->busy_ns, block.busy_ns);
  }
  EXPECT_FALSE(hit_test(index, layout, request, 10, layout.height_px() + 50));
}

TEST(TimelineFrame, DrawsAnInstantThoughItHasNoLength) {
  Span span;
  span.begin_ns = span.end_ns = 500;
  Span other;
  other.begin_ns = 0;
  other.end_ns = 100;
  const auto trace = timeline_of({other, span});
  const TimelineIndex index = index_of(trace);
  const LaneLayout layout(index, {});
  TimelineFrame frame;
  prepare_frame(index, layout, all_of(index, layout, 400), frame);
  ASSERT_EQ(frame.blocks.size(), 1U);
  EXPECT_EQ(frame.blocks[0].spans, 1U);
  EXPECT_EQ(frame.blocks[0].busy_ns, 0U);
  EXPECT_TRUE(frame.blocks[0].time.contains(500));
}

TEST(TimelineFrame, OfAnEmptyTraceIsEmpty) {
  const TimelineIndex index = index_of(std::make_shared<Trace>());
  const LaneLayout layout(index, {});
  TimelineFrame frame;
  prepare_frame(index, layout, all_of(index, layout, 400), frame);
  EXPECT_TRUE(frame.boxes.empty());
  EXPECT_TRUE(frame.blocks.empty());
  EXPECT_FALSE(hit_test(index, layout, all_of(index, layout, 400), 3, 3));
}

TEST(TimelineFrame, BearsNegativeDurationsAndTimesAtTheEndsOfTheClock) {
  Span negative;
  negative.begin_ns = 50;
  negative.end_ns = -50;
  Span early;
  early.begin_ns = kEarliestNs;
  early.end_ns = kEarliestNs + 1000;
  Span late;
  late.begin_ns = kLatestNs - 1000;
  late.end_ns = kLatestNs;
  Span all;
  all.begin_ns = kEarliestNs;
  all.end_ns = kLatestNs;
  all.lane = 1;
  const auto trace = timeline_of({negative, early, late, all}, 2);
  const TimelineIndex index = index_of(trace);
  const LaneLayout layout(index, {});
  TimelineFrame frame;
  FrameRequest request = all_of(index, layout, 1000);
  prepare_frame(index, layout, request, frame);
  std::uint64_t busy = 0;
  for (const DensityBlock& block : frame.blocks)
    busy += block.busy_ns;
  EXPECT_EQ(busy, 2000U);
  ASSERT_EQ(frame.boxes.size(), 1U);
  TimelineCamera camera;
  camera.set_width(1000);
  camera.set_extent(index.extent());
  camera.show({kLatestNs - 1500, kLatestNs});
  request.view = camera.view();
  prepare_frame(index, layout, request, frame);
  EXPECT_EQ(frame.boxes.size(), 2U);
}

TEST(TimelineFrame, CollapsesALaneOfTenThousandSimultaneousSpansAndExpandsItWhenAsked) {
  std::vector<Span> spans;
  for (int i = 0; i < 10'000; ++i) {
    Span span;
    span.begin_ns = i;
    span.end_ns = 1'000'000 + (i * 7919) % 1000;
    spans.push_back(span);
  }
  const auto trace = timeline_of(spans);
  TimelineIndex index = index_of(trace);
  EXPECT_TRUE(index.rows_of(0).collapsed);
  EXPECT_EQ(index.rows_of(0).rows.size(), 1U);
  EXPECT_EQ(index.rows_of(0).rows[0].busy_ns(), 1'000'999U);
  IndexOptions options;
  options.expanded.insert("0/streams/stream 0");
  index = index_of(trace, options);
  EXPECT_EQ(index.rows_of(0).rows.size(), 10'000U);
  const LaneLayout layout(index, {});
  FrameRequest request = all_of(index, layout, 1000);
  request.height_px = 180;
  request.top_px = 90'000;
  TimelineFrame frame;
  prepare_frame(index, layout, request, frame);
  EXPECT_EQ(frame.boxes.size(), 10U);
}

TEST(TimelineFrame, TouchesOnlyTheLanesInView) {
  std::vector<Span> spans;
  for (int i = 0; i < 10'000; ++i) {
    Span span;
    span.begin_ns = i;
    span.end_ns = 100'000;
    span.lane = static_cast<std::uint16_t>(i);
    spans.push_back(span);
  }
  const TimelineIndex index = index_of(timeline_of(spans, 10'000));
  const LaneMetrics metrics;
  const LaneLayout layout(index, metrics);
  EXPECT_EQ(layout.size(), 10'000U);
  FrameRequest request = all_of(index, layout, 1000);
  request.top_px = 5000 * (metrics.row_px + metrics.lane_gap_px);
  request.height_px = 3 * (metrics.row_px + metrics.lane_gap_px);
  TimelineFrame frame;
  prepare_frame(index, layout, request, frame);
  ASSERT_EQ(frame.lanes.size(), 3U);
  EXPECT_EQ(frame.lanes[0].lane, 5000U);
  EXPECT_EQ(frame.boxes.size(), 3U);
}

TEST(TimelineFrame, RefusesSpansOutOfOrder) {
  auto trace = timeline_of({Span{}, Span{}});
  trace->spans.begin_ns = {5, 3};
  const auto index = TimelineIndex::build(trace);
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().message, testing::HasSubstr("span 1 begins before"));
}

TEST(TimelineFrame, StopsBuildingWhenTold) {
  TestRandom random(3);
  TimelineTraits traits;
  traits.spans = 200'000;
  const auto trace = random_timeline(random, traits);
  double last = -1;
  const auto index = TimelineIndex::build(trace, {}, [&last](double share) {
    EXPECT_GT(share, last);
    last = share;
    return share < 0.5;
  });
  EXPECT_FALSE(index);
  EXPECT_GE(last, 0.5);
}

TEST(TimelineFrame, FindsAgainEverySpanInItsRow) {
  TestRandom random(11);
  const auto trace = random_timeline(random, {});
  const TimelineIndex index = index_of(trace);
  for (std::uint32_t span = 0; span < trace->spans.size(); ++span) {
    const auto place = index.find(ItemTable::spans, span);
    ASSERT_TRUE(place);
    EXPECT_EQ(index.cursor(place->lane, place->row).position(place->entry), span);
  }
  EXPECT_FALSE(index.find(ItemTable::spans, 1'000'000));
}

}  // namespace
}  // namespace quintet::viewer
