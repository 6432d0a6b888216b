#include "viewer/model/timeline/timeline_frame.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quintet::viewer {

namespace {

/// More than these cost more than a frame may, and are narrower than is of use.
constexpr double kMostBlocks = 12'000;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

std::uint64_t least_box_ns(double ns_per_px) {
  const double least = std::ceil(kFoldPx * ns_per_px);
  return least >= 0x1p64 ? kNever : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(least));
}

/// Fills one row of a frame.
class RowFiller {
 public:
  RowFiller(const TimelineIndex& index, const FrameRequest& request, TimelineFrame& frame)
      : index_(index),
        view_(request.view),
        range_(request.view.range()),
        least_ns_(least_box_ns(request.view.ns_per_px)),
        frame_(frame) {}

  void fill(std::uint32_t lane, std::uint32_t row, double y_px) {
    lane_ = lane;
    row_ = row;
    y_ = static_cast<float>(y_px);
    RowCursor cursor = index_.cursor(lane, row);
    RowCursor::Before before = cursor.before(range_.begin);
    RowCursor right = cursor;
    const RowCursor::Before end = right.before(range_.end);
    if (!index_.rows_of(lane).collapsed) {
      RowCursor boxes = cursor;
      // Of the spans that begin before the view only the last one can reach into it.
      const std::size_t from = before.count - (before.covered_until_ns > range_.begin ? 1 : 0);
      for (auto span = boxes.next_lasting(from, end.count, least_ns_); span;
           span = boxes.next_lasting(span->entry + 1, end.count, least_ns_)) {
        const bool between = span->entry > before.count || before.covered_until_ns > before.time_ns;
        if (span->begin_ns >= range_.begin && between) {
          fold(cursor, before,
               {span->begin_ns, span->entry, span->busy_ns, kEarliestNs, span->begin_ns});
        }
        // The row's next span begins at its end, or later.
        before = {span->end_ns, span->entry + 1,
                  span->busy_ns + length_ns(span->begin_ns, span->end_ns), span->end_ns,
                  span->end_ns};
        box(index_.item(lane, span->position), span->begin_ns, span->end_ns);
      }
    }
    fold(cursor, before, end);
  }

 private:
  [[nodiscard]] float px(std::int64_t time) const {
    return static_cast<float>(std::clamp(view_.px_of(time), 0.0, view_.width_px));
  }

  void box(std::uint32_t item, std::int64_t begin, std::int64_t end) {
    frame_.boxes.push_back({lane_, row_, item, px(begin), px(end), y_});
  }

  /// The end of the block that a time is in.
  [[nodiscard]] std::int64_t block_end(std::int64_t time) const {
    const std::int64_t begin = time & ~(frame_.block_ns - 1);
    return later_by(begin, static_cast<std::uint64_t>(frame_.block_ns));
  }

  /// The blocks from `before` to `until`, between which no span is shown as a box.
  void fold(RowCursor& cursor, RowCursor::Before before, const RowCursor::Before& until) {
    // So much of a block is too little to be seen.
    const std::int64_t slack = frame_.block_ns / 8;
    std::int64_t from = before.time_ns;
    while (from < until.time_ns) {
      if (before.covered_until_ns <= from) {
        // Nothing lasts: go on where the next span begins.
        if (before.count >= until.count || before.next_begin_ns >= until.time_ns) return;
        const std::int64_t next = before.next_begin_ns;
        if (next >= block_end(from)) from = next & ~(frame_.block_ns - 1);
      }
      std::int64_t to = block_end(from);
      if (slack > 0 && from >= to - slack && to < until.time_ns) to = block_end(to);
      RowCursor::Before after = until;
      if (to < until.time_ns) {
        after = cursor.before(to, static_cast<std::uint64_t>(slack));
        if (after.time_ns <= from) after = cursor.before(to);
      }
      if (after.time_ns <= from) return;  // the end of all time
      block(from, before, after);
      from = after.time_ns;
      before = after;
    }
  }

  void block(std::int64_t from, const RowCursor::Before& before, const RowCursor::Before& after) {
    const std::uint64_t busy = after.busy_ns - before.busy_ns;
    if (busy == 0 && after.count == before.count) return;
    frame_.blocks.push_back({lane_,
                             row_,
                             px(from),
                             px(after.time_ns),
                             y_,
                             static_cast<std::uint32_t>(after.count - before.count),
                             {from, after.time_ns},
                             busy});
  }

  const TimelineIndex& index_;
  const TimeView& view_;
  Interval range_;
  std::uint64_t least_ns_;
  TimelineFrame& frame_;
  std::uint32_t lane_ = 0;
  std::uint32_t row_ = 0;
  float y_ = 0;
};

/// Sub-rows [first, last) of a lane that are in view.
LaneSlice visible_rows(const LaneLayout& layout, std::size_t lane, double top, double bottom) {
  const double from = (top - layout.top_px(lane)) / layout.row_px();
  const double until = std::ceil((bottom - layout.top_px(lane)) / layout.row_px());
  const auto rows = static_cast<double>(layout.rows(lane));
  return {static_cast<std::size_t>(std::clamp(std::floor(from), 0.0, rows)),
          static_cast<std::size_t>(std::clamp(until, 0.0, rows))};
}

std::size_t visible_row_count(const TimelineIndex& index, const LaneLayout& layout,
                              const LaneSlice& lanes, double top, double bottom) {
  std::size_t rows = 0;
  for (std::size_t lane = lanes.first; lane < lanes.last; ++lane) {
    if (index.rows_of(lane).rows.empty()) continue;
    const LaneSlice seen = visible_rows(layout, lane, top, bottom);
    rows += seen.last - seen.first;
  }
  return rows;
}

/// What of a row is at a time, or near it.
void hit_row(RowCursor cursor, const TimelineIndex& index, const TimeView& view, TimelineHit& hit) {
  const std::size_t after = cursor.before(later_by(hit.time_ns, 1)).count;
  double nearest_px = kReachPx;
  const double x = view.px_of(hit.time_ns);
  for (std::size_t entry = after == 0 ? 0 : after - 1; entry < std::min(after + 1, cursor.size());
       ++entry) {
    const std::int64_t begin = cursor.begin_ns(entry);
    const std::int64_t end = cursor.end_ns(entry);
    const std::uint32_t item = index.item(hit.lane, cursor.position(entry));
    if (begin <= hit.time_ns && hit.time_ns < end &&
        length_ns(begin, end) >= least_box_ns(view.ns_per_px)) {
      hit.item = item;
      return;
    }
    const double away = hit.time_ns < begin ? view.px_of(begin) - x : x - view.px_of(end);
    if (away < nearest_px) {
      nearest_px = std::max(0.0, away);
      hit.nearest = item;
    }
  }
}

}  // namespace

std::int64_t density_block_ns(double ns_per_px, double width_px, std::size_t rows) {
  const double most = width_px * static_cast<double>(rows) / kMostBlocks;
  const double wanted = std::max(kFoldPx, most) * ns_per_px;
  if (!(wanted > 1)) return 1;
  // Down to what folds, up to what a frame can bear.
  const double power = std::log2(wanted);
  const int exponent = static_cast<int>(most > kFoldPx ? std::ceil(power) : std::floor(power));
  return std::int64_t{1} << std::clamp(exponent, 0, 62);
}

void prepare_frame(const TimelineIndex& index, const LaneLayout& layout,
                   const FrameRequest& request, TimelineFrame& frame) {
  frame.lanes.clear();
  frame.boxes.clear();
  frame.blocks.clear();
  const double top = request.top_px;
  const double bottom = request.top_px + request.height_px;
  const LaneSlice lanes = layout.visible(top, bottom);
  frame.block_ns = density_block_ns(request.view.ns_per_px, request.view.width_px,
                                    visible_row_count(index, layout, lanes, top, bottom));
  RowFiller filler(index, request, frame);
  for (std::size_t lane = lanes.first; lane < lanes.last; ++lane) {
    LaneStrip strip;
    strip.lane = static_cast<std::uint32_t>(lane);
    strip.y = static_cast<float>(layout.top_px(lane) - top);
    strip.height = static_cast<float>(layout.lane_px(lane));
    strip.first_box = frame.boxes.size();
    strip.first_block = frame.blocks.size();
    const std::vector<RowIndex>& rows = index.rows_of(lane).rows;
    const LaneSlice seen = visible_rows(layout, lane, top, bottom);
    for (std::size_t row = seen.first; row < std::min(seen.last, rows.size()); ++row) {
      filler.fill(strip.lane, static_cast<std::uint32_t>(row),
                  layout.top_px(lane) + static_cast<double>(row) * layout.row_px() - top);
    }
    strip.last_box = frame.boxes.size();
    strip.last_block = frame.blocks.size();
    frame.lanes.push_back(strip);
  }
}

std::optional<TimelineHit> hit_test(const TimelineIndex& index, const LaneLayout& layout,
                                    const FrameRequest& request, double x_px, double y_px) {
  const double y = request.top_px + y_px;
  const std::size_t lane = layout.lane_at(y);
  if (lane >= layout.size()) return std::nullopt;
  const double row = std::floor((y - layout.top_px(lane)) / layout.row_px());
  if (row >= static_cast<double>(layout.rows(lane))) return std::nullopt;
  TimelineHit hit;
  hit.lane = static_cast<std::uint32_t>(lane);
  hit.row = static_cast<std::uint32_t>(row);
  hit.time_ns = request.view.time_at(x_px);
  const LaneRows& rows = index.rows_of(lane);
  if (hit.row >= rows.rows.size()) return hit;
  RowCursor cursor = index.cursor(lane, hit.row);
  if (!rows.collapsed) hit_row(cursor, index, request.view, hit);
  if (hit.item) return hit;
  const LaneSlice lanes = layout.visible(request.top_px, request.top_px + request.height_px);
  const std::int64_t length = density_block_ns(
      request.view.ns_per_px, request.view.width_px,
      visible_row_count(index, layout, lanes, request.top_px, request.top_px + request.height_px));
  const std::int64_t begin = hit.time_ns & ~(length - 1);
  const std::int64_t end = later_by(begin, static_cast<std::uint64_t>(length));
  const RowCursor::Before before = cursor.before(begin);
  const RowCursor::Before after = cursor.before(end);
  if (after.count == before.count && after.busy_ns == before.busy_ns) return hit;
  DensityBlock block;
  block.lane = hit.lane;
  block.row = hit.row;
  block.spans = static_cast<std::uint32_t>(after.count - before.count);
  block.time = {begin, end};
  block.busy_ns = after.busy_ns - before.busy_ns;
  block.x0 = static_cast<float>(request.view.px_of(begin));
  block.x1 = static_cast<float>(request.view.px_of(end));
  block.y = static_cast<float>(layout.top_px(lane) + row * layout.row_px() - request.top_px);
  hit.density = block;
  return hit;
}

}  // namespace quintet::viewer
