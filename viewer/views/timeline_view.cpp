#include "viewer/views/timeline_view.h"

#include <algorithm>
#include <fmt/format.h>

#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/model/timeline/drafted_lanes.h"
#include "viewer/views/lane_painter.h"
#include "viewer/views/timeline_overlays.h"
#include "viewer/views/timeline_strips.h"
#include "viewer/widgets/imgui_versions.h"

namespace quintet::viewer {

namespace {

constexpr float kNames = 128;  // units, as all of these
constexpr float kMinimap = 34;
constexpr float kRuler = 32;
constexpr float kHeader = 20;
constexpr float kRow = 19;
constexpr std::array<Side, kSideCount> kSides = {Side::a, Side::b};

bool shown(const Workbench& workbench, Side side) {
  return workbench.shown == Shown::both ||
         workbench.shown == (side == Side::a ? Shown::a : Shown::b);
}

std::string waiting_text(const TimelinePart& part, const ViewContext& context) {
  if (!context.workbench.anything_open()) return "Open a recording to see its timeline.";
  for (const Side side : kSides) {
    const TimelineSide& held = part.side(side);
    if (held.base && !held.base->error.empty()) return held.base->error;
  }
  for (const JobStatus& job : context.jobs) {
    if (job.progress >= 0) return fmt::format("{}: {:.0f} %", job.title, 100 * job.progress);
  }
  return "Laying out the timeline";
}

}  // namespace

void TimelineView::draw(ViewContext& context) {
  const auto* part = context.parts.find<TimelinePart>();
  if (part == nullptr) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (room.x < 8 || room.y < 8) return;
  cut({at.x, at.y, at.x + room.x, at.y + room.y}, context);
  lay_out(*part, context);
  add_sides(*part, context);
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  if (canvas_.sides.empty()) {
    const std::string text = waiting_text(*part, context);
    draw.AddText(context.fonts.body, size_px(context.fonts.body),
                 {at.x + context.px(16), at.y + context.px(16)}, context.palette.dim.packed(),
                 text.data(), text.data() + text.size());
    return;
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("##timeline", room,
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  follow_selection(context);
  refresh_draft(context);
  handle_mouse(*part, context);
  paint(*part, draw, context);
  menu(context);
}

void TimelineView::cut(const ScreenBox& area, const ViewContext& context) {
  canvas_.sides.clear();
  canvas_.row_px = context.px(kRow);
  const float x = std::min(area.x0 + context.px(kNames), area.x1 - 4);
  canvas_.minimap = {x, area.y0, area.x1, area.y0 + context.px(kMinimap)};
  canvas_.ruler = {x, canvas_.minimap.y1, area.x1, canvas_.minimap.y1 + context.px(kRuler)};
  canvas_.lanes = {x, canvas_.ruler.y1, area.x1, std::max(canvas_.ruler.y1 + 1, area.y1)};
  canvas_.names = {area.x0, canvas_.ruler.y1, x, canvas_.lanes.y1};
}

void TimelineView::lay_out(const TimelinePart& part, ViewContext& context) {
  for (const Side side : kSides) {
    SideState& state = sides_[index_of(side)];
    const auto& base = part.side(side).base;
    const std::shared_ptr<const TimelineIndex> index = base ? base->index : nullptr;
    if (index == state.laid_out && state.scale == context.frame.scale) continue;
    state.laid_out = index;
    state.scale = context.frame.scale;
    const LaneMetrics metrics{context.px(kRow), context.px(3), context.px(9)};
    state.layout = index ? LaneLayout(*index, metrics) : LaneLayout();
  }
}

float TimelineView::content_height(const ViewContext& context) const {
  float height = 0;
  for (const SideCanvas& side : canvas_.sides)
    height += context.px(kHeader) + static_cast<float>(side.layout->height_px());
  return height;
}

void TimelineView::add_sides(const TimelinePart& part, const ViewContext& context) {
  const Workbench& workbench = context.workbench;
  Interval range = part.extent(workbench);
  if (!workbench.visible.empty()) {
    range = {workbench.visible.begin_ns, workbench.visible.end_ns};
  }
  TimelineCamera camera;
  camera.set_width(canvas_.lanes.width());
  camera.set_extent(range);
  camera.show(range, 0);
  canvas_.view = camera.view();
  const float header = context.px(kHeader);
  float total = 0;
  for (const Side side : kSides) {
    const SideState& state = sides_[index_of(side)];
    if (shown(workbench, side) && state.laid_out) {
      total += header + static_cast<float>(state.layout.height_px());
    }
  }
  scroll_ = std::clamp(scroll_, 0.0F, std::max(0.0F, total - canvas_.lanes.height()));
  float top = -scroll_;
  for (const Side side : kSides) {
    SideState& state = sides_[index_of(side)];
    if (!shown(workbench, side) || !state.laid_out) continue;
    SideCanvas canvas;
    canvas.side = side;
    canvas.held = &part.side(side);
    canvas.index = state.laid_out.get();
    canvas.layout = &state.layout;
    canvas.frame = &state.frame;
    canvas.shift_ns = part.shift_ns(side);
    canvas.header_y = canvas_.lanes.y0 + top;
    const float height = static_cast<float>(state.layout.height_px());
    const float lanes_top = top + header;
    canvas.lanes = canvas_.lanes;
    canvas.lanes.y0 = canvas_.lanes.y0 + std::max(0.0F, lanes_top);
    canvas.lanes.y1 = std::clamp(canvas_.lanes.y0 + lanes_top + height, canvas.lanes.y0,
                                 std::max(canvas.lanes.y0, canvas_.lanes.y1));
    canvas.request = {canvas_.view.of_side(canvas.shift_ns), std::max(0.0F, -lanes_top),
                      canvas.lanes.height()};
    prepare_frame(*canvas.index, *canvas.layout, canvas.request, state.frame);
    canvas_.sides.push_back(canvas);
    top = lanes_top + height;
  }
}

void TimelineView::follow_selection(const ViewContext& context) {
  const Selection& selection = context.workbench.selection;
  if (selection == followed_) return;
  for (const SideCanvas& side : canvas_.sides) {
    if (side.side != selection.side) continue;
    followed_ = selection;
    if (!selection.span || *selection.span >= side.trace().spans.size()) return;
    const auto place =
        side.index->find(ItemTable::spans, static_cast<std::uint32_t>(*selection.span));
    if (!place) return;
    // Where the row stands on the screen, however far it is scrolled out of it.
    const float y = side.header_y + context.px(kHeader) +
                    static_cast<float>(side.layout->top_px(place->lane)) +
                    static_cast<float>(place->row) * canvas_.row_px;
    if (y < canvas_.lanes.y0) scroll_ -= canvas_.lanes.y0 - y;
    if (y + canvas_.row_px > canvas_.lanes.y1) scroll_ += y + canvas_.row_px - canvas_.lanes.y1;
    return;
  }
}

void TimelineView::paint(const TimelinePart& part, ImDrawList& draw, ViewContext& context) {
  const Workbench& workbench = context.workbench;
  const SideCanvas& first = canvas_.sides.front();
  std::int64_t origin = shifted_by(first.index->extent().begin, first.shift_ns);
  if (const StepMark* mark =
          workbench.step ? first.held->base->steps.find(*workbench.step) : nullptr) {
    origin = shifted_by(mark->time.begin, first.shift_ns);
  }
  paint_minimap(canvas_, part.extent(workbench), draw, context);
  paint_ruler(canvas_, origin, draw, context);
  draw.PushClipRect({canvas_.names.x0, canvas_.lanes.y0}, {canvas_.lanes.x1, canvas_.lanes.y1},
                    true);
  for (const SideCanvas& side : canvas_.sides) {
    draw.PushClipRect({canvas_.names.x0, side.lanes.y0}, {side.lanes.x1, side.lanes.y1}, true);
    paint_lane_grounds(side, canvas_.names, draw, context);
    draw.PushClipRect({side.lanes.x0, side.lanes.y0}, {side.lanes.x1, side.lanes.y1}, true);
    paint_steps(side, draw, context);
    paint_waits(side, draw, context);
    BoxEmphasis emphasis;
    emphasis.search = side.held->search.get();
    emphasis.critical = workbench.critical_path_shown;
    emphasis.drag = drag_ && drag_->to_lane ? &*drag_ : nullptr;
    paint_lane_items(side, emphasis, draw, context);
    if (workbench.critical_path_shown) paint_critical_path(side, draw, context);
    if (side.side == Side::b) paint_moved(side, part.moved(), draw, context);
    const bool edited = drafted_of_ != 0 && side.held->generation == drafted_of_;
    if (edited) paint_drafted(side, drafted_, draw, context);
    paint_selection(side, draw, context);
    if (drag_) paint_drag(side, *drag_, !edited, draw, context);
    draw.PopClipRect();
    draw.PopClipRect();
  }
  paint_headers(draw, context);
  draw.PopClipRect();
  const bool measuring = grip_ == Grip::measure;
  paint_measure(canvas_, measuring ? measuring_ : part.measured(),
                measuring ? nullptr : part.statistics(), draw, context);
  paint_scrollbar(draw, context);
  hover(part, context);
  tell_drop(context);
}

void TimelineView::refresh_draft(const ViewContext& context) {
  const auto* keeper = context.parts.find<MappingKeeper>();
  if (keeper == nullptr || !keeper->ready()) {
    drafted_of_ = 0;
    return;
  }
  const bool same = drafted_of_ == keeper->generation() &&
                    drafted_at_ == keeper->draft().revision() && !drafted_tried_;
  const bool tried = keeper->tried_policy().has_value();
  if (same && !tried) return;
  for (const SideCanvas& side : canvas_.sides) {
    if (side.held->generation != keeper->generation()) continue;
    drafted_ = drafted_lanes(side.trace(), keeper->tasks(),
                             tried ? *keeper->tried_policy() : keeper->draft().policy());
    drafted_of_ = keeper->generation();
    drafted_at_ = keeper->draft().revision();
    drafted_tried_ = tried;
  }
}

void TimelineView::tell_drop(const ViewContext& context) const {
  const auto* keeper = context.parts.find<MappingKeeper>();
  if (!drag_ || !drag_->to_lane || keeper == nullptr || !keeper->tried()) return;
  const auto verdict = keeper->tried_verdict();
  const std::string text = verdict == nullptr || !keeper->tried_policy()
                               ? "proving..."
                               : drop_answer(*verdict, *keeper->tried_policy()).why;
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(context.px(420));
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void TimelineView::paint_headers(ImDrawList& draw, const ViewContext& context) const {
  ImFont* font = context.fonts.bold;
  for (const SideCanvas& side : canvas_.sides) {
    const Document* document = context.workbench.document(side.side);
    if (document == nullptr) continue;
    const float bottom = side.header_y + context.px(kHeader);
    draw.AddRectFilled({canvas_.names.x0, side.header_y}, {canvas_.lanes.x1, bottom},
                       context.palette.panel.packed());
    draw.AddRectFilled({canvas_.names.x0, side.header_y},
                       {canvas_.names.x0 + context.px(3), bottom},
                       context.palette.of(side.side).packed());
    std::string text = fmt::format("{}  {}", name_of(side.side), document->label());
    text += fmt::format("  ({})", name_of(side.index->grouping()));
    const std::string* why =
        context.workbench.step ? side.held->known.unknown(*context.workbench.step) : nullptr;
    if (why != nullptr) text += fmt::format("  {}", *why);
    draw.AddText(font, size_px(font),
                 {canvas_.names.x0 + context.px(8),
                  side.header_y + (context.px(kHeader) - size_px(font)) / 2},
                 context.palette.text.packed(), text.data(), text.data() + text.size());
  }
}

void TimelineView::paint_scrollbar(ImDrawList& draw, const ViewContext& context) const {
  const float total = content_height(context);
  const float height = canvas_.lanes.height();
  if (total <= height) return;
  const float width = context.px(5);
  const float length = std::max(context.px(20), height * height / total);
  const float y = canvas_.lanes.y0 + (height - length) * scroll_ / (total - height);
  draw.AddRectFilled({canvas_.lanes.x1 - width, y}, {canvas_.lanes.x1, y + length},
                     context.palette.dim.with_alpha(150).packed(), width / 2);
}

const SideCanvas* TimelineView::side_at(const ImVec2& point) const {
  for (const SideCanvas& side : canvas_.sides) {
    if (point.y >= side.lanes.y0 && point.y < side.lanes.y1) return &side;
  }
  return nullptr;
}

std::optional<TimelineHit> TimelineView::hit_at(const ImVec2& point) const {
  const SideCanvas* side = side_at(point);
  if (side == nullptr) return std::nullopt;
  return hit_test(*side->index, *side->layout, side->request, point.x - side->lanes.x0,
                  point.y - side->lanes.y0);
}

std::int64_t TimelineView::time_at(float x) const {
  return canvas_.view.time_at(x - canvas_.lanes.x0);
}

TimelineCamera TimelineView::camera(const TimelinePart& part, const ViewContext& context) const {
  TimelineCamera camera;
  camera.set_width(canvas_.view.width_px);
  camera.set_extent(part.extent(context.workbench));
  camera.show(canvas_.view.range(), 0);
  return camera;
}

void TimelineView::show(const TimelineCamera& camera, ViewContext& context) const {
  const Interval range = camera.view().range();
  context.commands.emit(command_id::kShowRange, TimeRange{range.begin, range.end});
}

}  // namespace quintet::viewer
