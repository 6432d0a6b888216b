// What the timeline does with commands.

#include <algorithm>
#include <fmt/format.h>

#include "viewer/model/timeline/lane_walk.h"
#include "viewer/model/timeline/timeline_camera.h"
#include "viewer/model/timeline_part.h"

namespace quintet::viewer {

namespace {

using namespace command_id;

constexpr double kWidth = 1000;  ///< of the view that commands move: only ratios count
constexpr double kZoomStep = 1.5;
constexpr double kPanStep = 0.15;  ///< of the view

TimelineCamera camera_at(const Interval& visible, const Interval& extent) {
  TimelineCamera camera;
  camera.set_width(kWidth);
  camera.set_extent(extent);
  camera.show(visible, 0);
  return camera;
}

}  // namespace

bool TimelinePart::handle(const Command& command, PartContext& context) {
  if (command.id == kMeasureRange) {
    if (const auto* range = command.get<TimeRange>()) measure(*range, context);
    return true;
  }
  if (command.id == kExpandLane || command.id == kCollapseLane) {
    const auto* lane = command.get<std::string>();
    if (lane == nullptr) return true;
    const bool expand = command.id == kExpandLane;
    (expand ? expanded_ : collapsed_).insert(*lane);
    (expand ? collapsed_ : expanded_).erase(*lane);
    ++folds_;
    return true;
  }
  return move_view(command, context) || walk(command, context) || mark(command, context);
}

bool TimelinePart::move_view(const Command& command, PartContext& context) {
  Workbench& workbench = context.workbench;
  TimelineCamera camera = camera_at(visible(workbench), extent(workbench));
  if (command.id == kZoomIn) {
    camera.zoom(kZoomStep, kWidth / 2);
  } else if (command.id == kZoomOut) {
    camera.zoom(1 / kZoomStep, kWidth / 2);
  } else if (command.id == kPanLeft) {
    camera.pan(-kPanStep * kWidth);
  } else if (command.id == kPanRight) {
    camera.pan(kPanStep * kWidth);
  } else if (command.id == kFit) {
    camera.fit();
  } else if (command.id == kZoomToSelection) {
    const Selection& selection = workbench.selection;
    const TimelineSide& held = sides_[index_of(selection.side)];
    const Document* document = workbench.document(selection.side);
    if (document == nullptr || held.index() == nullptr) return true;
    Interval time;
    if (selection.span && *selection.span < document->trace->spans.size()) {
      time = held.index()->time_of(ItemTable::spans, static_cast<std::uint32_t>(*selection.span));
    } else if (const StepMark* mark =
                   selection.step ? held.base->steps.find(*selection.step) : nullptr) {
      time = mark->time;
    } else {
      return true;
    }
    const std::int64_t shift = shift_ns(selection.side);
    camera.show({shifted_by(time.begin, shift), shifted_by(time.end, shift)}, 0.5);
  } else {
    return false;
  }
  const Interval range = camera.view().range();
  workbench.visible = {range.begin, range.end};
  return true;
}

void TimelinePart::reveal(const Interval& time, Workbench& workbench) const {
  TimelineCamera camera = camera_at(visible(workbench), extent(workbench));
  camera.reveal(time);
  const Interval range = camera.view().range();
  workbench.visible = {range.begin, range.end};
}

void TimelinePart::select(Side side, std::uint32_t span, PartContext& context) {
  const Document* document = context.workbench.document(side);
  const TimelineIndex* index = sides_[index_of(side)].index();
  if (document == nullptr || index == nullptr) return;
  context.workbench.selection = select_span(*document, side, span);
  const Interval time = index->time_of(ItemTable::spans, span);
  const std::int64_t shift = shift_ns(side);
  reveal({shifted_by(time.begin, shift), shifted_by(time.end, shift)}, context.workbench);
}

bool TimelinePart::walk(const Command& command, PartContext& context) {
  const bool along = command.id == kNextSpan || command.id == kPreviousSpan;
  const bool across = command.id == kLaneAbove || command.id == kLaneBelow;
  const bool hits = command.id == kNextHit || command.id == kPreviousHit;
  if (!along && !across && !hits) return false;
  const Side side = context.workbench.main_side();
  const TimelineSide& held = sides_[index_of(side)];
  if (held.index() == nullptr) return true;
  const TimelineIndex& index = *held.index();
  const Selection& selection = context.workbench.selection;
  std::optional<std::uint32_t> from;
  if (selection.side == side && selection.span && *selection.span < index.trace().spans.size()) {
    from = static_cast<std::uint32_t>(*selection.span);
  }
  const WalkDirection direction =
      command.id == kNextSpan || command.id == kLaneBelow || command.id == kNextHit
          ? WalkDirection::next
          : WalkDirection::previous;
  std::optional<std::uint32_t> to;
  if (hits) {
    if (!held.search) return true;
    const std::optional<std::size_t> at = from ? std::optional<std::size_t>(*from) : std::nullopt;
    to = direction == WalkDirection::next ? held.search->next(at) : held.search->previous(at);
  } else if (from) {
    to = along ? neighbour_in_lane(index, *from, direction)
               : neighbour_lane(index, *from, direction);
  } else {
    // Nothing is selected yet: the span in the middle of the view, in the first lane that has one.
    const Interval seen = visible(context.workbench);
    const std::int64_t middle =
        shifted_by(later_by(seen.begin, length_ns(seen.begin, seen.end) / 2), -shift_ns(side));
    for (std::size_t lane = 0; !to && lane < index.lanes().size(); ++lane)
      to = nearest_span(index, lane, middle);
  }
  if (to) select(side, *to, context);
  return true;
}

void TimelinePart::measure(const TimeRange& range, PartContext& context) {
  measured_ = {range.begin_ns, range.end_ns};
  measured_side_ = context.workbench.main_side();
  count_measured(context);
}

void TimelinePart::count_measured(PartContext& context) {
  statistics_.reset();
  const auto& base = sides_[index_of(measured_side_)].base;
  counted_on_ = base ? base->index : nullptr;
  if (measured_.empty() || !counted_on_) {
    context.background.cancel("timeline measure");
    return;
  }
  const std::int64_t shift = shift_ns(measured_side_);
  const Interval own{shifted_by(measured_.begin, -shift), shifted_by(measured_.end, -shift)};
  context.background.start<std::shared_ptr<const RangeStatistics>>(
      "timeline measure", "Counting what was measured",
      [index = counted_on_, own](JobControl& control) {
        return std::make_shared<const RangeStatistics>(
            range_statistics(*index, own, [&control] { return control.cancelled(); }));
      },
      [this](std::shared_ptr<const RangeStatistics> statistics) {
        statistics_ = std::move(statistics);
      });
}

bool TimelinePart::mark(const Command& command, PartContext& context) {
  const Side side = context.workbench.main_side();
  std::vector<Bookmark>& bookmarks = sides_[index_of(side)].bookmarks;
  if (command.id == kAddBookmark) {
    add_bookmark(side, context);
  } else if (command.id == kNextBookmark) {
    if (bookmarks.empty()) return true;
    go_to_bookmark(side, bookmark_ ? (*bookmark_ + 1) % bookmarks.size() : 0, context);
  } else if (command.id == kGoToBookmark) {
    const auto* number = command.get<std::int64_t>();
    if (number != nullptr && *number >= 0) {
      go_to_bookmark(side, static_cast<std::size_t>(*number), context);
    }
  } else if (command.id == kNoteBookmark) {
    const auto* note = command.get<std::string>();
    if (note == nullptr || !bookmark_ || *bookmark_ >= bookmarks.size()) return true;
    bookmarks[*bookmark_].note = *note;
    save(side, context);
  } else if (command.id == kRemoveBookmark) {
    const auto* number = command.get<std::int64_t>();
    if (number == nullptr || *number < 0 || static_cast<std::size_t>(*number) >= bookmarks.size()) {
      return true;
    }
    bookmarks.erase(bookmarks.begin() + *number);
    bookmark_.reset();
    save(side, context);
  } else {
    return false;
  }
  return true;
}

void TimelinePart::add_bookmark(Side side, PartContext& context) {
  Workbench& workbench = context.workbench;
  const Document* document = workbench.document(side);
  const TimelineIndex* index = sides_[index_of(side)].index();
  if (document == nullptr || index == nullptr) return;
  Bookmark bookmark;
  const Selection& selection = workbench.selection;
  const Trace& trace = *document->trace;
  if (selection.side == side && selection.span && *selection.span < trace.spans.size()) {
    const Interval time =
        index->time_of(ItemTable::spans, static_cast<std::uint32_t>(*selection.span));
    bookmark.begin_ns = time.begin;
    bookmark.end_ns = time.end;
    const std::uint32_t task = trace.spans.task[*selection.span];
    if (task < trace.tasks.size()) bookmark.task = trace.tasks[task].name;
  } else {
    const Interval seen = visible(workbench);
    bookmark.begin_ns =
        shifted_by(later_by(seen.begin, length_ns(seen.begin, seen.end) / 2), -shift_ns(side));
    bookmark.end_ns = bookmark.begin_ns;
  }
  std::vector<Bookmark>& bookmarks = sides_[index_of(side)].bookmarks;
  insert_bookmark(bookmarks, bookmark);
  bookmark_ = static_cast<std::size_t>(std::find(bookmarks.begin(), bookmarks.end(), bookmark) -
                                       bookmarks.begin());
  save(side, context);
}

void TimelinePart::go_to_bookmark(Side side, std::size_t bookmark, PartContext& context) {
  const std::vector<Bookmark>& bookmarks = sides_[index_of(side)].bookmarks;
  if (bookmark >= bookmarks.size()) return;
  bookmark_ = bookmark;
  const std::int64_t shift = shift_ns(side);
  reveal({shifted_by(bookmarks[bookmark].begin_ns, shift),
          shifted_by(bookmarks[bookmark].end_ns, shift)},
         context.workbench);
}

void TimelinePart::save(Side side, PartContext& context) {
  const Document* document = context.workbench.document(side);
  if (document == nullptr) return;
  if (document->file.empty()) {
    context.workbench.log.note("Bookmarks of a run that was never a file are not kept");
    return;
  }
  const auto saved = save_bookmarks(document->file, sides_[index_of(side)].bookmarks);
  if (!saved) context.workbench.log.fail(saved.error());
}

}  // namespace quintet::viewer
