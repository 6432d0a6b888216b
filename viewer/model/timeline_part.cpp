#include "viewer/model/timeline_part.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "viewer/model/timeline/timeline_camera.h"

namespace quintet::viewer {

namespace {

using namespace command_id;

constexpr std::array<Side, kSideCount> kSides = {Side::a, Side::b};

SpanGrouping grouping_of(LaneGrouping grouping) {
  switch (grouping) {
    case LaneGrouping::policy_stream:
      return SpanGrouping::policy_stream;
    case LaneGrouping::executor_stream:
      return SpanGrouping::executor_stream;
    case LaneGrouping::op_kind:
      return SpanGrouping::op_kind;
    case LaneGrouping::layer:
      return SpanGrouping::layer;
  }
  return SpanGrouping::policy_stream;
}

/// Lays out a state of a trace; goes on with what there is of an earlier state of it.
std::shared_ptr<const TimelineBase> make_base(const Document& document, const IndexOptions& options,
                                              const std::shared_ptr<const TimelineBase>& earlier,
                                              JobControl& control) {
  auto base = std::make_shared<TimelineBase>();
  const Trace& trace = *document.trace;
  const BuildProgress progress = [&control](double share) {
    control.progress(share);
    return !control.cancelled();
  };
  const bool goes_on = earlier && earlier->index;
  const std::size_t unchanged = goes_on ? document.history.shared_with(earlier->history) : 0;
  auto index = goes_on && earlier->index->options() == options
                   ? TimelineIndex::grown(*earlier->index, document.trace, unchanged, progress)
                   : TimelineIndex::build(document.trace, options, progress);
  base->steps = StepAxis(trace);
  base->history = document.history;
  if (!index) {
    base->error = to_string(index.error());
    return base;
  }
  if (goes_on && &earlier->slicer->trace() == &trace) {
    base->slicer = earlier->slicer;
  } else if (unchanged > 0) {
    base->slicer = std::make_shared<const StepSlicer>(*earlier->slicer, document.trace, unchanged);
  } else {
    base->slicer = std::make_shared<const StepSlicer>(document.trace);
  }
  base->minimap = minimap_of(*index, kMinimapColumns);
  base->untimed = untimed_per_lane(*index);
  base->looks = task_looks(trace);
  base->index = std::make_shared<const TimelineIndex>(std::move(*index));
  return base;
}

std::string key_of(const char* what, Side side) {
  return fmt::format("timeline {} {}", what, name_of(side));
}

Interval shifted(const Interval& time, std::int64_t by_ns) {
  return {shifted_by(time.begin, by_ns), shifted_by(time.end, by_ns)};
}

}  // namespace

void TimelinePart::prepare(PartContext& context) {
  for (const Side side : kSides) {
    const Document* document = context.workbench.document(side);
    TimelineSide& held = sides_[index_of(side)];
    if (document == nullptr) {
      if (held.generation != 0) held = {};
      asked_search_[index_of(side)].clear();
      bookmarks_of_[index_of(side)].clear();
      continue;
    }
    if (bookmarks_of_[index_of(side)] != document->file) {
      bookmarks_of_[index_of(side)] = document->file;
      BookmarkFile file = load_bookmarks(document->file);
      held.bookmarks = std::move(file.bookmarks);
      bookmark_.reset();
      for (const Finding& finding : file.findings)
        context.workbench.log.warn(finding.message, "mend the file or remove it");
    }
    ask_for_base(side, context);
    ask_for_search(side, context);
  }
  align_sides(context.workbench);
  show_first(context);
  follow_selection(context.workbench);
  const auto& base = sides_[index_of(measured_side_)].base;
  if (!measured_.empty() && base && base->index != counted_on_) count_measured(context);
  for (const Side side : kSides)
    look_at_steps(side, context);
}

void TimelinePart::align_sides(const Workbench& workbench) {
  const TimelineSide& a = sides_[0];
  const TimelineSide& b = sides_[1];
  if (!workbench.both_open() || !a.base || !b.base) {
    shift_b_ns_ = 0;
    moved_.clear();
    moved_of_ = {};
    return;
  }
  const Trace& trace_a = *workbench.documents[0]->trace;
  const Trace& trace_b = *workbench.documents[1]->trace;
  shift_b_ns_ = shift_of_b(trace_a, a.base->steps, trace_b, b.base->steps, workbench.step);
  const std::array<std::uint64_t, kSideCount> generations = {a.generation, b.generation};
  if (moved_of_ == generations) return;
  moved_of_ = generations;
  moved_ = moved_from(trace_a, trace_b);
}

void TimelinePart::ask_for_base(Side side, PartContext& context) {
  const Document& document = *context.workbench.document(side);
  TimelineSide& held = sides_[index_of(side)];
  const LaneGrouping grouping = context.workbench.grouping;
  const bool same = held.generation == document.generation;
  const bool same_lanes =
      asked_grouping_[index_of(side)] == grouping && asked_fold_[index_of(side)] == folds_;
  if (same && same_lanes) return;
  // What grows faster than it is laid out would else never be shown.
  const std::string key = key_of("index", side);
  if (document.live && same_lanes && context.background.busy(key)) return;
  const std::shared_ptr<const TimelineBase> earlier = held.base;
  if (!same) {
    // A run that grows keeps what is shown until the newer state is there.
    if (!document.live) {
      held.base.reset();
      held.known = {};
    }
    held.search.reset();
    asked_search_[index_of(side)].clear();
  }
  held.generation = document.generation;
  asked_grouping_[index_of(side)] = grouping;
  asked_fold_[index_of(side)] = folds_;
  IndexOptions options{grouping_of(grouping), expanded_, collapsed_};
  context.background.start<std::shared_ptr<const TimelineBase>>(
      key, "Laying out the timeline",
      [document, options, earlier](JobControl& control) {
        return make_base(document, options, earlier, control);
      },
      [this, side, generation = document.generation](std::shared_ptr<const TimelineBase> base) {
        TimelineSide& now = sides_[index_of(side)];
        if (now.generation == generation) take_base(side, std::move(base));
      });
}

void TimelinePart::ask_for_search(Side side, PartContext& context) {
  const Document& document = *context.workbench.document(side);
  TimelineSide& held = sides_[index_of(side)];
  const std::string& text = context.workbench.search;
  if (asked_search_[index_of(side)] == text) return;
  asked_search_[index_of(side)] = text;
  held.search.reset();
  if (text.empty()) {
    context.background.cancel(key_of("search", side));
    return;
  }
  context.background.start<std::shared_ptr<const SpanSearch>>(
      key_of("search", side), fmt::format("Searching {}", text),
      [trace = document.trace, text](JobControl& control) {
        return std::make_shared<const SpanSearch>(
            SpanSearch::of(trace, text, [&control] { return control.cancelled(); }));
      },
      [this, side, generation = document.generation](std::shared_ptr<const SpanSearch> search) {
        TimelineSide& now = sides_[index_of(side)];
        if (now.generation == generation) now.search = std::move(search);
      });
}

void TimelinePart::show_first(PartContext& context) {
  Workbench& workbench = context.workbench;
  if (!workbench.visible.empty()) return;
  const Side side = workbench.document(Side::a) != nullptr ? Side::a : Side::b;
  const Document* document = workbench.document(side);
  const TimelineSide& held = sides_[index_of(side)];
  if (!held.base || held.generation != (document != nullptr ? document->generation : 0)) return;
  const std::vector<StepMark>& steps = held.base->steps.steps();
  constexpr std::size_t kFew = 3;
  // A run that has just begun: all of it stays in view, or later the view would lie beside it.
  if (document != nullptr && document->live && steps.size() <= kFew) return;
  TimelineCamera camera;
  camera.set_width(1000);
  camera.set_extent(extent(workbench));
  if (steps.size() > kFew) {
    // A step in the middle says more than all of them at once; the minimap has the rest.
    const StepMark& mark = steps[steps.size() / 2];
    if (!workbench.step) workbench.step = mark.step;
    // What runs before the next one begins is of interest too.
    const std::int64_t next = steps[steps.size() / 2 + 1].time.begin;
    camera.show(next > mark.time.begin ? Interval{mark.time.begin, next} : mark.time, 0.1);
  }
  const Interval range = camera.view().range();
  workbench.visible = {range.begin, range.end};
}

void TimelinePart::follow_selection(Workbench& workbench) {
  const Selection& selection = workbench.selection;
  const TimelineSide& held = sides_[index_of(selection.side)];
  if (selection == followed_ || held.index() == nullptr) return;
  followed_ = selection;
  if (!selection.span || *selection.span >= held.index()->trace().spans.size()) return;
  const Interval own =
      held.index()->time_of(ItemTable::spans, static_cast<std::uint32_t>(*selection.span));
  const Interval time = shifted(own, shift_ns(selection.side));
  const Interval seen = visible(workbench);
  if (time.end < seen.begin || time.begin > seen.end) reveal(time, workbench);
}

Interval TimelinePart::extent(const Workbench& workbench) const {
  std::optional<Interval> all;
  for (const Side side : kSides) {
    const bool shown = workbench.shown == Shown::both ||
                       workbench.shown == (side == Side::a ? Shown::a : Shown::b);
    const TimelineIndex* index = sides_[index_of(side)].index();
    if (!shown || index == nullptr) continue;
    const Interval time = shifted(index->extent(), shift_ns(side));
    all = all ? Interval{std::min(all->begin, time.begin), std::max(all->end, time.end)} : time;
  }
  return all.value_or(Interval{0, 1});
}

Interval TimelinePart::visible(const Workbench& workbench) const {
  if (workbench.visible.empty()) return extent(workbench);
  return {workbench.visible.begin_ns, workbench.visible.end_ns};
}

}  // namespace quintet::viewer
