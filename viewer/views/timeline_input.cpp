// What the mouse does to the timeline, and what is told under it.

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "viewer/model/timeline/item_facts.h"
#include "viewer/views/timeline_strips.h"
#include "viewer/views/timeline_view.h"

namespace quintet::viewer {

namespace {

constexpr double kWheelStep = 1.25;
constexpr float kDragPx = 5;  ///< less is a click

Selection selection_of(const SideCanvas& side, const Document& document, const TimelineHit& hit) {
  const TimelineLane& lane = side.index->lanes()[hit.lane];
  const auto item = hit.item ? hit.item : hit.nearest;
  if (item && table_of(lane.section) == ItemTable::spans) {
    return select_span(document, side.side, *item);
  }
  Selection selection;
  selection.side = side.side;
  if (item) {
    selection.step = lane.section == LaneSection::launches ? side.trace().launches[*item].step
                                                           : side.trace().host_waits[*item].step;
  }
  if (lane.trace_lane != TimelineLane::kNoLane) selection.lane = lane.trace_lane;
  return selection;
}

MoveScope scope_of(const ImGuiIO& io) {
  if (io.KeyAlt) return MoveScope::layer;
  return io.KeyShift ? MoveScope::layer_and_after : MoveScope::kind;
}

/// The wait of a step that was looked at under a point.
const InsightWait* wait_at(const SideCanvas& side, const TimelineHit& hit) {
  const TimelineLane& lane = side.index->lanes()[hit.lane];
  if (lane.section != LaneSection::work || lane.trace_lane == TimelineLane::kNoLane ||
      side.index->grouping() != SpanGrouping::policy_stream) {
    return nullptr;
  }
  const StepInsight* insight = side.held->known.close_at(hit.time_ns);
  if (insight == nullptr) return nullptr;
  for (const InsightWait& wait : insight->waits()) {
    if (wait.lane == lane.trace_lane && wait.time.contains(hit.time_ns)) return &wait;
  }
  return nullptr;
}

/// What the lane under a point waited for in its step, where that is known in sums alone.
ItemCard folded_card_at(const SideCanvas& side, const TimelineHit& hit, std::int64_t origin_ns) {
  const auto step = side.held->base->steps.window_at(hit.time_ns);
  const FoldedStep* folded = step ? side.held->known.folded(*step) : nullptr;
  const TimelineLane& lane = side.index->lanes()[hit.lane];
  if (folded == nullptr || side.lane_of_stream(lane.trace_lane) != hit.lane) {
    return {};
  }
  return folded_card(side.trace(), *folded, lane.trace_lane, origin_ns);
}

void paint_card(const ItemCard& card, const ViewContext& context) {
  if (card.title.empty()) return;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(context.px(420));
  ImGui::PushFont(context.fonts.bold);
  ImGui::TextUnformatted(card.title.c_str());
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  if (ImGui::BeginTable("##facts", 2, ImGuiTableFlags_SizingFixedFit)) {
    ImGui::TableSetupColumn("##label");
    ImGui::TableSetupColumn("##value", ImGuiTableColumnFlags_WidthFixed, context.px(320));
    for (const ItemFact& fact : card.facts) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextDisabled("%s", fact.label.c_str());
      ImGui::TableNextColumn();
      ImGui::TextWrapped("%s", fact.value.c_str());
    }
    ImGui::EndTable();
  }
  ImGui::EndTooltip();
}

}  // namespace

void TimelineView::handle_mouse(const TimelinePart& part, ViewContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsItemHovered()) handle_wheel(part, context);
  if (ImGui::IsItemActivated() && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    press(part, context);
  }
  if (grip_ != Grip::none) {
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
      drag(part, context);
    } else {
      release(context);
    }
  }
  if (ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    menu_hit_ = hit_at(io.MousePos);
    if (const SideCanvas* side = side_at(io.MousePos)) menu_side_ = side->side;
    const Document* document = context.workbench.document(menu_side_);
    const SideCanvas* side = side_at(io.MousePos);
    if (menu_hit_ && side != nullptr && document != nullptr) {
      const Selection picked = selection_of(*side, *document, *menu_hit_);
      if (!picked.empty()) context.commands.emit(command_id::kSelect, picked);
    }
    ImGui::OpenPopup("##timeline menu");
  }
}

void TimelineView::handle_wheel(const TimelinePart& part, ViewContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheelH != 0) {
    TimelineCamera moved = camera(part, context);
    moved.pan(-io.MouseWheelH * context.px(40));
    show(moved, context);
  }
  if (io.MouseWheel == 0) return;
  const bool scrolls = io.KeyCtrl || io.KeyShift || canvas_.names.contains(io.MousePos);
  if (scrolls) {
    scroll_ -= io.MouseWheel * 3 * canvas_.row_px;
    return;
  }
  TimelineCamera zoomed = camera(part, context);
  const float x = std::clamp(io.MousePos.x, canvas_.lanes.x0, canvas_.lanes.x1);
  zoomed.zoom(std::pow(kWheelStep, io.MouseWheel), x - canvas_.lanes.x0);
  show(zoomed, context);
}

void TimelineView::press(const TimelinePart& /*part*/, ViewContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  pressed_at_ = io.MousePos;
  pressed_view_ = canvas_.view;
  pressed_scroll_ = scroll_;
  if (canvas_.minimap.contains(io.MousePos)) {
    grip_ = Grip::minimap;
  } else if (io.KeyShift || context.workbench.measuring) {
    grip_ = Grip::measure;
    const std::int64_t time = time_at(io.MousePos.x);
    measuring_ = {time, time};
  } else {
    grip_ = Grip::pressed;
  }
}

void TimelineView::drag(const TimelinePart& part, ViewContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  const float dx = io.MousePos.x - pressed_at_.x;
  const float dy = io.MousePos.y - pressed_at_.y;
  if (grip_ == Grip::pressed && std::hypot(dx, dy) > context.px(kDragPx)) {
    grip_ = Grip::pan;
    // Upright out of a task's box takes the task along; anything else moves the view.
    const SideCanvas* side = side_at(pressed_at_);
    const auto hit = hit_at(pressed_at_);
    if (side != nullptr && hit && hit->item && std::abs(dy) > 1.5F * std::abs(dx) &&
        side->index->grouping() == SpanGrouping::policy_stream &&
        side->index->lanes()[hit->lane].section == LaneSection::work) {
      grip_ = Grip::task;
      drag_ = TaskDrag{side->side, side->trace().spans.task[*hit->item], hit->lane, std::nullopt,
                       MoveScope::kind};
    }
  }
  switch (grip_) {
    case Grip::none:
    case Grip::pressed:
      return;
    case Grip::pan: {
      TimelineCamera moved = camera(part, context);
      moved.show(pressed_view_.range(), 0);
      moved.pan(-dx);
      scroll_ = pressed_scroll_ - dy;
      show(moved, context);
      return;
    }
    case Grip::measure: {
      const std::int64_t from = pressed_view_.time_at(pressed_at_.x - canvas_.lanes.x0);
      const std::int64_t to = time_at(io.MousePos.x);
      measuring_ = {std::min(from, to), std::max(from, to)};
      return;
    }
    case Grip::task:
      drag_task(context);
      return;
    case Grip::minimap: {
      TimelineCamera moved = camera(part, context);
      moved.centre(minimap_time(canvas_.minimap, part.extent(context.workbench), io.MousePos.x));
      show(moved, context);
      return;
    }
  }
}

void TimelineView::drag_task(ViewContext& context) {
  const ImGuiIO& io = ImGui::GetIO();
  const SideCanvas* side = side_at(io.MousePos);
  std::optional<std::uint32_t> target;
  if (side != nullptr && side->side == drag_->side) {
    const std::size_t lane =
        side->layout->lane_at(side->request.top_px + io.MousePos.y - side->lanes.y0);
    if (lane < side->index->lanes().size() &&
        side->index->lanes()[lane].section == LaneSection::work && lane != drag_->from_lane) {
      target = static_cast<std::uint32_t>(lane);
    }
  }
  const MoveScope scope = scope_of(io);
  if (target == drag_->to_lane && scope == drag_->scope) return;
  drag_->to_lane = target;
  drag_->scope = scope;
  if (target) {
    const std::uint32_t stream = side->index->lanes()[*target].trace_lane;
    context.commands.emit(command_id::kPreviewMove, StreamMove{drag_->task, stream, scope});
  } else {
    context.commands.emit(command_id::kDropPreview);
  }
}

void TimelineView::release(ViewContext& context) {
  const Grip grip = std::exchange(grip_, Grip::none);
  const ImGuiIO& io = ImGui::GetIO();
  if (grip == Grip::measure) {
    context.commands.emit(command_id::kMeasureRange, TimeRange{measuring_.begin, measuring_.end});
    if (context.workbench.measuring) context.commands.emit(command_id::kMeasure);
    return;
  }
  if (grip == Grip::task) {
    const TaskDrag dropped = *drag_;
    drag_.reset();
    const SideCanvas* side = side_at(pressed_at_);
    if (dropped.to_lane && side != nullptr) {
      const std::uint32_t stream = side->index->lanes()[*dropped.to_lane].trace_lane;
      context.commands.emit(command_id::kMove, StreamMove{dropped.task, stream, dropped.scope});
    } else {
      context.commands.emit(command_id::kDropPreview);
    }
    return;
  }
  if (grip != Grip::pressed) return;
  const SideCanvas* side = side_at(io.MousePos);
  const auto hit = hit_at(io.MousePos);
  const Document* document = side == nullptr ? nullptr : context.workbench.document(side->side);
  if (!hit || document == nullptr) {
    context.commands.emit(command_id::kSelect, Selection{});
    return;
  }
  if (canvas_.names.contains(io.MousePos)) {
    const LaneRows& rows = side->index->rows_of(hit->lane);
    if (rows.collapsed || rows.rows.size() > 1) {
      context.commands.emit(rows.collapsed ? command_id::kExpandLane : command_id::kCollapseLane,
                            lane_key(side->index->lanes()[hit->lane]));
    }
    return;
  }
  context.commands.emit(command_id::kSelect, selection_of(*side, *document, *hit));
  if (!part_of_double_click()) return;
  const auto item = hit->item ? hit->item : hit->nearest;
  if (item) context.commands.emit(command_id::kZoomToSelection);
}

bool TimelineView::part_of_double_click() {
  const double now = ImGui::GetTime();
  const bool twice = now - released_at_ < static_cast<double>(ImGui::GetIO().MouseDoubleClickTime);
  released_at_ = twice ? -1 : now;
  return twice;
}

void TimelineView::hover(const TimelinePart& /*part*/, const ViewContext& context) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (grip_ != Grip::none || !ImGui::IsWindowHovered() || !canvas_.lanes.contains(mouse)) return;
  const SideCanvas* side = side_at(mouse);
  const auto hit = hit_at(mouse);
  if (side == nullptr || !hit) return;
  std::int64_t origin = side->index->extent().begin;
  const StepInsight* insight = side->held->known.close_at(hit->time_ns);
  if (const auto step = side->held->base->steps.step_at(hit->time_ns)) {
    if (const StepMark* mark = side->held->base->steps.find(*step)) origin = mark->time.begin;
  }
  ItemCard card = item_card(*side->index, *hit, origin, insight);
  if (card.title.empty()) {
    if (const InsightWait* wait = wait_at(*side, *hit)) {
      card = wait_card(side->trace(), *wait, origin);
    } else if (insight == nullptr) {
      card = folded_card_at(*side, *hit, origin);
    }
  }
  paint_card(card, context);
}

void TimelineView::menu(ViewContext& context) {
  if (!ImGui::BeginPopup("##timeline menu")) return;
  const auto item = [&context](std::string_view id, CommandArgument argument, const char* title) {
    const CommandEntry* entry = find_command(id);
    const bool enabled = entry != nullptr && entry->enabled_in(context.workbench);
    const std::string keys = entry == nullptr ? "" : to_string(entry->keys[0]);
    if (ImGui::MenuItem(title, keys.c_str(), false, enabled)) {
      context.commands.emit(id, std::move(argument));
    }
  };
  item(command_id::kZoomToSelection, {}, "Zoom to selection");
  item(command_id::kShowInGraph, {}, "Show in graph");
  item(command_id::kAddBookmark, {}, "Bookmark");
  item(command_id::kCriticalPath, {}, "Show critical path");
  item(command_id::kFit, {}, "Fit everything");
  item(command_id::kMeasureRange, TimeRange{}, "Forget the measurement");
  const SideCanvas* side = nullptr;
  for (const SideCanvas& each : canvas_.sides) {
    if (each.side == menu_side_) side = &each;
  }
  if (menu_hit_ && side != nullptr && menu_hit_->lane < side->index->lanes().size()) {
    const LaneRows& rows = side->index->rows_of(menu_hit_->lane);
    const std::string key = lane_key(side->index->lanes()[menu_hit_->lane]);
    if (rows.collapsed) item(command_id::kExpandLane, key, "Show every sub-row of the lane");
    if (!rows.collapsed && rows.rows.size() > 1) {
      item(command_id::kCollapseLane, key, "Show the lane as one row");
    }
    ImGui::Separator();
    constexpr std::array<const char*, 3> kScopes = {"Move its kind to", "Move this layer's to",
                                                    "Move this layer's and all after to"};
    for (std::size_t scope = 0; scope < kScopes.size(); ++scope) {
      if (!ImGui::BeginMenu(kScopes[scope], context.workbench.selection.task.has_value())) continue;
      for (const TimelineLane& lane : side->index->lanes()) {
        if (lane.section != LaneSection::work || lane.trace_lane == TimelineLane::kNoLane) continue;
        if (ImGui::MenuItem(lane.name.c_str())) {
          context.commands.emit(command_id::kMove, StreamMove{std::nullopt, lane.trace_lane,
                                                              static_cast<MoveScope>(scope)});
        }
      }
      ImGui::EndMenu();
    }
  }
  ImGui::EndPopup();
}

}  // namespace quintet::viewer
