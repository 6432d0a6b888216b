#include "viewer/views/timeline_overlays.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "viewer/model/timeline/item_facts.h"
#include "viewer/widgets/imgui_versions.h"

namespace quintet::viewer {

namespace {

constexpr float kLeastHatchPx = 3;
/// Narrower than this, a step is told by its sums.
constexpr float kLeastClosePx = 32;

void paint_text(const ScreenBox& box, const std::string& text, const Color& color, ImDrawList& draw,
                const ViewContext& context) {
  ImFont* font = context.fonts.small;
  const ImVec2 size =
      font->CalcTextSizeA(size_px(font), 1e6F, 0, text.data(), text.data() + text.size());
  if (size.x + context.px(6) > box.width() || size.y > box.height()) return;
  const ImVec2 at{(box.x0 + box.x1 - size.x) / 2, (box.y0 + box.y1 - size.y) / 2};
  draw.AddRectFilled({at.x - context.px(2), at.y}, {at.x + size.x + context.px(2), at.y + size.y},
                     context.palette.lane.packed());
  draw.AddText(font, size_px(font), at, color.packed(), text.data(), text.data() + text.size());
}

/// Where on the screen a run is; nothing where it is in no lane.
std::optional<ScreenBox> box_of(const SideCanvas& side, const InsightRun& run) {
  // The run begins with its first span, and spans are listed by begin.
  const SpanColumns& spans = side.trace().spans;
  auto at = std::lower_bound(spans.begin_ns.begin(), spans.begin_ns.end(), run.time.begin);
  for (; at != spans.begin_ns.end() && *at == run.time.begin; ++at) {
    const auto span = static_cast<std::uint32_t>(at - spans.begin_ns.begin());
    if (spans.task[span] != run.task) continue;
    const auto place = side.index->find(ItemTable::spans, span);
    if (!place) return std::nullopt;
    const float y = side.y_of(place->lane, place->row);
    return ScreenBox{side.x_of(run.time.begin), y, side.x_of(run.time.end),
                     y + static_cast<float>(side.layout->row_px())};
  }
  return std::nullopt;
}

void dotted(const ImVec2& from, const ImVec2& to, std::uint32_t color, float thickness,
            ImDrawList& draw) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const float dash = 3 * thickness;
  const int dashes = std::min(400, static_cast<int>(length / (2 * dash)) + 1);
  for (int each = 0; each < dashes; ++each) {
    const float begin = static_cast<float>(each) / static_cast<float>(dashes);
    const float end = begin + 0.5F / static_cast<float>(dashes);
    draw.AddLine({from.x + (to.x - from.x) * begin, from.y + (to.y - from.y) * begin},
                 {from.x + (to.x - from.x) * end, from.y + (to.y - from.y) * end}, color,
                 thickness);
  }
}

void paint_arrow(const ScreenBox& from, const ScreenBox& to, LinkKind kind, ImDrawList& draw,
                 const ViewContext& context) {
  const ImVec2 begin{from.x1, (from.y0 + from.y1) / 2};
  const ImVec2 end{to.x0, (to.y0 + to.y1) / 2};
  const float head = context.px(4);
  const float thickness = context.px(1.4F);
  switch (kind) {
    case LinkKind::data: {
      const std::uint32_t color = context.palette.text.packed();
      const float bend = std::max(context.px(14), (end.x - begin.x) / 2);
      draw.AddBezierCubic(begin, {begin.x + bend, begin.y}, {end.x - bend, end.y},
                          {end.x - head, end.y}, color, thickness);
      draw.AddTriangleFilled({end.x - head * 1.6F, end.y - head}, end,
                             {end.x - head * 1.6F, end.y + head}, color);
      return;
    }
    case LinkKind::stream:
      dotted(begin, end, context.palette.dim.packed(), thickness, draw);
      return;
  }
}

void paint_links(const SideCanvas& side, std::uint32_t task, std::int64_t time, ImDrawList& draw,
                 const ViewContext& context) {
  const StepInsight* insight = side.held->known.close_at(time);
  const auto run = insight == nullptr ? std::nullopt : insight->run_of(task, time);
  if (!run) return;
  for (const RunLink& link : insight->links_of(*run)) {
    const auto from = box_of(side, insight->runs()[link.from]);
    const auto to = box_of(side, insight->runs()[link.to]);
    if (from && to) paint_arrow(*from, *to, link.kind, draw, context);
  }
}

/// Calls `close(insight)` for each step in view that is wide enough to be told and was looked at
/// closely, and `folded(step)` for each other one of which the sums are known.
template <class Close, class Folded>
void for_steps_in_view(const SideCanvas& side, Close close, Folded folded) {
  const StepAxis& axis = side.held->base->steps;
  const StepAxis::Slice seen = axis.within(side.request.view.range());
  if (seen.last - seen.first > kFoldedSteps) return;
  for (std::size_t at = seen.first; at < seen.last; ++at) {
    const std::int64_t number = axis.steps()[at].step;
    const FoldedStep* sums = side.held->known.folded(number);
    if (sums == nullptr) continue;
    const float width = side.x_of(sums->window.end) - side.x_of(sums->window.begin);
    const StepInsight* insight = side.held->known.close(number);
    if (insight != nullptr && width >= kLeastClosePx) {
      close(*insight);
    } else {
      folded(*sums);
    }
  }
}

void paint_close_waits(const SideCanvas& side, const StepInsight& insight, ImDrawList& draw,
                       const ViewContext& context) {
  const Interval range = side.request.view.range();
  const float row = static_cast<float>(side.layout->row_px());
  std::optional<std::size_t> lane;
  std::optional<std::uint32_t> lane_of;
  for (const InsightWait& wait : insight.waits()) {
    if (lane_of != wait.lane) {
      lane = side.lane_of_stream(wait.lane);
      lane_of = wait.lane;
    }
    if (!lane || wait.time.end <= range.begin || wait.time.begin >= range.end) continue;
    if (wait.cause == WaitCause::nothing_to_do) continue;  // the ground says it
    const float y = side.y_of(*lane);
    const ScreenBox box{side.x_of(wait.time.begin), y + 3, side.x_of(wait.time.end), y + row - 3};
    if (box.width() < kLeastHatchPx || box.y1 < side.lanes.y0 || box.y0 > side.lanes.y1) continue;
    const Color color = context.palette.of(wait.cause);
    draw.AddRectFilled({box.x0, box.y0}, {box.x1, box.y1}, color.with_alpha(26).packed());
    paint_hatch(box, color.with_alpha(150).packed(), context.px(5), draw);
    paint_text(box, wait_label(side.trace(), wait), context.palette.dim, draw, context);
  }
}

/// A stack that hangs from the top of each lane: the share of the step that it waited, by cause. What
/// it worked stands below, from the bottom up.
void paint_folded_waits(const SideCanvas& side, const FoldedStep& step, ImDrawList& draw,
                        const ViewContext& context) {
  const float x0 = side.x_of(step.window.begin);
  const float x1 = std::max(x0 + 1, side.x_of(step.window.end));
  const auto length = static_cast<float>(length_ns(step.window.begin, step.window.end));
  const float room = static_cast<float>(side.layout->row_px()) - 2;
  for (const FoldedLane& each : step.lanes) {
    const auto lane = side.lane_of_stream(each.lane);
    if (!lane) continue;
    float y = side.y_of(*lane) + 1;
    if (y > side.lanes.y1 || y + room < side.lanes.y0) continue;
    for (std::size_t cause = 0; cause < kWaitCauseCount; ++cause) {
      if (kWaitCauses[cause] == WaitCause::nothing_to_do) continue;  // the ground says it
      const float height = room * static_cast<float>(each.waits_ns[cause]) / length;
      if (height <= 0) continue;
      draw.AddRectFilled({x0, y}, {x1, y + height},
                         context.palette.of(kWaitCauses[cause]).with_alpha(90).packed());
      y += height;
    }
  }
}

/// Calls `paint` for each box of work whose task has another lane, with the top of that lane.
template <class Paint>
void for_moved(const SideCanvas& side, const std::vector<std::optional<std::uint32_t>>& moved,
               Paint paint) {
  if (side.index->grouping() != SpanGrouping::policy_stream) return;
  std::optional<std::uint32_t> stream;
  std::optional<std::size_t> lane;
  for (const SpanBox& box : side.frame->boxes) {
    if (side.index->lanes()[box.lane].section != LaneSection::work) continue;
    const std::uint32_t task = side.trace().spans.task[box.item];
    if (task >= moved.size() || !moved[task]) continue;
    if (stream != moved[task]) {
      stream = moved[task];
      lane = side.lane_of_stream(*stream);
    }
    if (lane) paint(box, side.y_of(*lane));
  }
}

}  // namespace

void paint_hatch(const ScreenBox& box, std::uint32_t color, float spacing, ImDrawList& draw) {
  draw.PushClipRect({box.x0, box.y0}, {box.x1, box.y1}, true);
  const float height = box.height();
  // Lines stand still on the screen's grid, so that panning does not make them flicker.
  const float first = std::floor((box.x0 - height) / spacing) * spacing;
  for (float x = first; x < box.x1; x += spacing)
    draw.AddLine({x, box.y1}, {x + height, box.y0}, color, 1);
  draw.PopClipRect();
}

void paint_steps(const SideCanvas& side, ImDrawList& draw, const ViewContext& context) {
  const StepAxis& axis = side.held->base->steps;
  const Interval range = side.request.view.range();
  const StepAxis::Slice seen = axis.within(range);
  // Borders closer than this are no help.
  constexpr float kLeastStepPx = 24;
  const double step_px =
      side.lanes.width() / static_cast<float>(std::max<std::size_t>(1, seen.last - seen.first));
  if (step_px >= kLeastStepPx) {
    for (std::size_t step = seen.first; step < seen.last; ++step) {
      const float x = side.x_of(axis.steps()[step].time.begin);
      draw.AddLine({x, side.lanes.y0}, {x, side.lanes.y1}, context.palette.border.packed(), 1);
    }
  }
  const auto& stretches = axis.unrecorded();
  auto stretch = std::partition_point(
      stretches.begin(), stretches.end(),
      [&range](const UnrecordedStretch& each) { return each.time.end <= range.begin; });
  float painted = side.lanes.x0;
  for (; stretch != stretches.end() && stretch->time.begin < range.end; ++stretch) {
    const ScreenBox box{std::max(painted, side.x_of(stretch->time.begin)), side.lanes.y0,
                        side.x_of(stretch->time.end), side.lanes.y1};
    if (box.width() < 1) continue;
    painted = box.x1;
    paint_hatch(box, context.palette.border.packed(), context.px(9), draw);
    paint_text({box.x0, box.y0, box.x1, std::min(box.y1, box.y0 + context.px(40))}, stretch->reason,
               context.palette.dim, draw, context);
  }
}

void paint_waits(const SideCanvas& side, ImDrawList& draw, const ViewContext& context) {
  for_steps_in_view(
      side, [&](const StepInsight& insight) { paint_close_waits(side, insight, draw, context); },
      [&](const FoldedStep& step) { paint_folded_waits(side, step, draw, context); });
}

void paint_critical_path(const SideCanvas& side, ImDrawList& draw, const ViewContext& context) {
  const std::uint32_t color = context.palette.critical.packed();
  const float half = static_cast<float>(side.layout->row_px()) / 2;
  const auto close = [&](const StepInsight& insight) {
    std::optional<ImVec2> last;
    for (const PathPiece& piece : insight.path()) {
      if (!piece.lane) continue;
      const auto lane = side.lane_of_stream(*piece.lane);
      if (!lane) continue;
      const float y = side.y_of(*lane) + half;
      const float begin = side.x_of(piece.time.begin);
      if (last && std::abs(last->y - y) > 1) {
        draw.AddLine(*last, {begin, y}, color, context.px(1.6F));
      }
      last = ImVec2{side.x_of(piece.time.end), y};
    }
  };
  // From afar: where most of a step's path is.
  const auto folded = [&](const FoldedStep& step) {
    const FoldedLane* most = step.path_lane();
    const auto lane = most == nullptr ? std::nullopt : side.lane_of_stream(most->lane);
    if (!lane) return;
    const float y = side.y_of(*lane) + half;
    draw.AddLine({side.x_of(step.window.begin), y}, {side.x_of(step.window.end), y}, color,
                 context.px(1.6F));
  };
  for_steps_in_view(side, close, folded);
}

void paint_selection(const SideCanvas& side, ImDrawList& draw, const ViewContext& context) {
  const Selection& selection = context.workbench.selection;
  const SpanColumns& spans = side.trace().spans;
  if (selection.side == side.side && selection.task) {
    const std::uint32_t outline = context.palette.selection.with_alpha(120).packed();
    const float row = static_cast<float>(side.layout->row_px());
    for (const SpanBox& box : side.frame->boxes) {
      if (table_of(side.index->lanes()[box.lane].section) != ItemTable::spans) continue;
      if (spans.task[box.item] != *selection.task) continue;
      draw.AddRect({side.lanes.x0 + box.x0, side.lanes.y0 + box.y + 1},
                   {side.lanes.x0 + box.x1, side.lanes.y0 + box.y + row - 1}, outline);
    }
  }
  if (selection.side != side.side || !selection.span || *selection.span >= spans.size()) return;
  const auto span = static_cast<std::uint32_t>(*selection.span);
  const Interval time = side.index->time_of(ItemTable::spans, span);
  paint_links(side, spans.task[span], time.begin, draw, context);
  const auto place = side.index->find(ItemTable::spans, span);
  if (!place) return;
  const float y = side.y_of(place->lane, place->row);
  const float row = static_cast<float>(side.layout->row_px());
  const float x0 = side.x_of(time.begin);
  draw.AddRect({x0 - 1, y}, {std::max(side.x_of(time.end), x0 + 2) + 1, y + row},
               context.palette.selection.packed(), context.px(2), 0, context.px(2));
}

void paint_moved(const SideCanvas& side, const std::vector<std::optional<std::uint32_t>>& moved,
                 ImDrawList& draw, const ViewContext& context) {
  const float row = static_cast<float>(side.layout->row_px());
  const std::uint32_t outline = context.palette.of(side.side).packed();
  const std::uint32_t ghost = context.palette.of(side.side).with_alpha(110).packed();
  for_moved(side, moved, [&](const SpanBox& box, float lane_y) {
    const float x0 = side.lanes.x0 + box.x0;
    const float x1 = side.lanes.x0 + std::max(box.x0 + 2, box.x1 - 1);
    const float y = side.lanes.y0 + box.y;
    draw.AddRect({x0, y + 1}, {x1, y + row - 1}, outline, 0, 0, context.px(1.5F));
    draw.AddRect({x0, lane_y + 3}, {x1, lane_y + row - 3}, ghost);
  });
}

void paint_drafted(const SideCanvas& side, const std::vector<std::optional<std::uint32_t>>& drafted,
                   ImDrawList& draw, const ViewContext& context) {
  const float row = static_cast<float>(side.layout->row_px());
  const Color& color = context.palette.selection;
  const std::uint32_t veil = context.palette.lane.with_alpha(170).packed();
  for_moved(side, drafted, [&](const SpanBox& box, float lane_y) {
    const float x0 = side.lanes.x0 + box.x0;
    const float x1 = side.lanes.x0 + std::max(box.x0 + 2, box.x1 - 1);
    const float y = side.lanes.y0 + box.y;
    draw.AddRectFilled({x0, y + 1}, {x1, y + row - 1}, veil);
    draw.AddRectFilled({x0, lane_y + 2}, {x1, lane_y + row - 2}, color.with_alpha(50).packed());
    draw.AddRect({x0, lane_y + 2}, {x1, lane_y + row - 2}, color.packed());
  });
}

bool TaskDrag::takes(const Trace& trace, std::uint32_t other) const {
  if (task >= trace.tasks.size() || other >= trace.tasks.size()) return false;
  const TraceTask& own = trace.tasks[task];
  const TraceTask& each = trace.tasks[other];
  if (own.op_kind != each.op_kind || own.part != each.part) return false;
  switch (scope) {
    case MoveScope::kind:
      return true;
    case MoveScope::layer:
      return own.layer == each.layer;
    case MoveScope::layer_and_after:
      return own.layer == each.layer || other > task;
  }
  return false;
}

void paint_drag(const SideCanvas& side, const TaskDrag& drag, bool tasks, ImDrawList& draw,
                const ViewContext& context) {
  if (drag.side != side.side || !drag.to_lane) return;
  const float row = static_cast<float>(side.layout->row_px());
  const float target = side.y_of(*drag.to_lane);
  const std::uint32_t color = context.palette.selection.packed();
  draw.AddRect({side.lanes.x0, target}, {side.lanes.x1, target + row}, color, 0, 0, context.px(1));
  if (!tasks) return;
  for (const SpanBox& box : side.frame->boxes) {
    if (side.index->lanes()[box.lane].section != LaneSection::work) continue;
    if (!drag.takes(side.trace(), side.trace().spans.task[box.item])) continue;
    const ImVec2 least{side.lanes.x0 + box.x0, target + 2};
    const ImVec2 most{side.lanes.x0 + std::max(box.x0 + 2, box.x1), target + row - 2};
    draw.AddRectFilled(least, most, context.palette.selection.with_alpha(60).packed());
    draw.AddRect(least, most, color);
  }
}

}  // namespace quintet::viewer
