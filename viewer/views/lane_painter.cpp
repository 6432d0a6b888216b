#include "viewer/views/lane_painter.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string>

#include "viewer/widgets/imgui_versions.h"

namespace quintet::viewer {

namespace {

constexpr float kLeastLabelPx = 22;
constexpr double kDimmed = 0.28;

float text_width(ImFont* font, const std::string& text) {
  return font->CalcTextSizeA(size_px(font), 1e6F, 0, text.data(), text.data() + text.size()).x;
}

/// The text, cut at the end so that it fits.
std::string fitted(ImFont* font, const std::string& text, float width) {
  if (text_width(font, text) <= width) return text;
  const char* end = nullptr;
  const float dots = text_width(font, "..");
  font->CalcTextSizeA(size_px(font), std::max(0.0F, width - dots), 0, text.data(),
                      text.data() + text.size(), &end);
  return std::string(text.data(), end) + "..";
}

std::string lane_note(const SideCanvas& side, std::size_t lane) {
  const TimelineLane& each = side.index->lanes()[lane];
  const LaneRows& rows = side.index->rows_of(lane);
  std::string note;
  if (rows.collapsed) note = "all in one";
  const std::vector<std::uint64_t>& untimed = side.held->base->untimed;
  if (lane < untimed.size() && untimed[lane] > 0) {
    note += fmt::format("{}+{} untimed", note.empty() ? "" : ", ", untimed[lane]);
  }
  if (each.items == 0) note = "unused";
  return note;
}

void paint_name(const SideCanvas& side, std::size_t lane, const ScreenBox& names, ImDrawList& draw,
                const ViewContext& context) {
  const TimelineLane& each = side.index->lanes()[lane];
  const float y = side.y_of(lane);
  const float row = static_cast<float>(side.layout->row_px());
  ImFont* font = context.fonts.small;
  std::string name = each.name;
  const std::vector<TimelineLane>& lanes = side.index->lanes();
  if (lanes.front().rank != lanes.back().rank) name = fmt::format("{}: {}", each.rank, name);
  const float room = names.width() - context.px(14);
  const std::string note = lane_note(side, lane);
  const float noted = note.empty() ? 0 : text_width(font, note) + context.px(6);
  const std::string shown = fitted(font, name, std::max(room - noted, room / 2));
  const float text_y = y + (row - size_px(font)) / 2;
  const bool quiet = each.section != LaneSection::work || each.items == 0;
  const Color color = quiet ? context.palette.dim : context.palette.text;
  draw.AddRectFilled({names.x0, y + 1}, {names.x0 + context.px(3), y + row - 1},
                     lane_color(*side.index, lane, context.palette).packed());
  draw.AddText(font, size_px(font), {names.x0 + context.px(8), text_y}, color.packed(),
               shown.data(), shown.data() + shown.size());
  if (!note.empty()) {
    draw.AddText(font, size_px(font), {names.x1 - noted, text_y}, context.palette.dim.packed(),
                 note.data(), note.data() + note.size());
  }
}

void paint_label(const TaskLook& look, const ImVec2& least, const ImVec2& most, const Color& ground,
                 ImDrawList& draw, const ViewContext& context) {
  ImFont* font = context.fonts.small;
  const float room = most.x - least.x - context.px(6);
  if (room < kLeastLabelPx - 6 || most.y - least.y < size_px(font)) return;
  const std::string* text = &look.label;
  if (text_width(font, *text) > room) text = &look.brief;
  std::string cut;
  if (text_width(font, *text) > room) {
    if (room < context.px(34)) return;
    cut = fitted(font, look.label, room);
    text = &cut;
  }
  const float x = least.x + context.px(3);
  const float y = (least.y + most.y - size_px(font)) / 2;
  draw.AddText(font, size_px(font), {x, y}, context.palette.text_on(ground).packed(), text->data(),
               text->data() + text->size());
}

/// How a box is told: by its task's look, or by what its table says.
TaskLook look_of(const SideCanvas& side, std::size_t lane, std::uint32_t item) {
  const Trace& trace = side.trace();
  switch (table_of(side.index->lanes()[lane].section)) {
    case ItemTable::spans: {
      const std::uint32_t task = trace.spans.task[item];
      const std::uint32_t activity = trace.spans.activity[item];
      const bool named = activity < trace.activities.size();
      if (named && side.index->lanes()[lane].section != LaneSection::work) {
        return {OpFamily::host, trace.activities[activity].name, trace.activities[activity].name};
      }
      if (task < side.held->base->looks.size()) return side.held->base->looks[task];
      return {OpFamily::other, named ? trace.activities[activity].name : "unknown task", "?"};
    }
    case ItemTable::launches: {
      const std::uint32_t graph = trace.launches[item].graph;
      const std::string name =
          graph < trace.graphs.size() ? trace.graphs[graph].name : std::string("launch");
      return {OpFamily::host, name, name};
    }
    case ItemTable::host_waits:
      return {OpFamily::host, trace.host_waits[item].kind + " " + trace.host_waits[item].target,
              trace.host_waits[item].kind};
  }
  return {};
}

bool stands_back(const SideCanvas& side, std::size_t lane, std::uint32_t item,
                 const BoxEmphasis& emphasis) {
  if (table_of(side.index->lanes()[lane].section) != ItemTable::spans) return false;
  const SpanColumns& spans = side.trace().spans;
  if (emphasis.drag != nullptr && emphasis.drag->side == side.side &&
      emphasis.drag->takes(side.trace(), spans.task[item])) {
    return true;
  }
  if (emphasis.search != nullptr) return !emphasis.search->matches(item);
  return false;
}

/// True on the critical path, false beside it, nothing where no step was looked at.
std::optional<bool> on_path(const SideCanvas& side, std::uint32_t span) {
  const SpanColumns& spans = side.trace().spans;
  return side.held->known.critical(spans.task[span], spans.step[span]);
}

}  // namespace

Color lane_color(const TimelineIndex& index, std::size_t lane, const Palette& palette) {
  const TimelineLane& each = index.lanes()[lane];
  if (each.section != LaneSection::work) return palette.dim;
  if (each.trace_lane != TimelineLane::kNoLane) return palette.of_stream(each.trace_lane);
  return palette.accent;
}

Color item_color(const SideCanvas& side, std::size_t lane, std::uint32_t item,
                 const Palette& palette) {
  const LaneSection section = side.index->lanes()[lane].section;
  if (section == LaneSection::host_waits) return palette.of(WaitCause::host_sync);
  if (section != LaneSection::work) return palette.of(OpFamily::host);
  if (side.index->grouping() == SpanGrouping::executor_stream) {
    return palette.of_stream(side.trace().spans.lane[item]);
  }
  const std::uint32_t task = side.trace().spans.task[item];
  const std::vector<TaskLook>& looks = side.held->base->looks;
  return palette.of(task < looks.size() ? looks[task].family : OpFamily::other);
}

void paint_lane_grounds(const SideCanvas& side, const ScreenBox& names, ImDrawList& draw,
                        const ViewContext& context) {
  for (const LaneStrip& strip : side.frame->lanes) {
    const float y = side.lanes.y0 + strip.y;
    draw.AddRectFilled({side.lanes.x0, y}, {side.lanes.x1, y + strip.height},
                       context.palette.lane.packed());
    paint_name(side, strip.lane, names, draw, context);
  }
}

void paint_lane_items(const SideCanvas& side, const BoxEmphasis& emphasis, ImDrawList& draw,
                      const ViewContext& context) {
  const Palette& palette = context.palette;
  const float row = static_cast<float>(side.layout->row_px());
  for (const DensityBlock& block : side.frame->blocks) {
    const Color color = mixed(palette.lane, lane_color(*side.index, block.lane, palette), 0.8);
    const float height = std::max(1.0F, static_cast<float>(block.share()) * (row - 2));
    const float bottom = side.lanes.y0 + block.y + row - 1;
    draw.AddRectFilled({side.lanes.x0 + block.x0, bottom - height},
                       {side.lanes.x0 + std::max(block.x1, block.x0 + 1), bottom}, color.packed());
  }
  for (const SpanBox& box : side.frame->boxes) {
    Color color = item_color(side, box.lane, box.item, palette);
    bool dim = stands_back(side, box.lane, box.item, emphasis);
    std::optional<bool> critical;
    const bool work = side.index->lanes()[box.lane].section == LaneSection::work;
    if (emphasis.critical && work) critical = on_path(side, box.item);
    dim = dim || (critical && !*critical);
    if (dim) color = mixed(palette.lane, color, kDimmed);
    const ImVec2 least{side.lanes.x0 + box.x0, side.lanes.y0 + box.y + 1};
    // A hair of ground parts neighbours.
    const ImVec2 most{side.lanes.x0 + std::max(box.x0 + 1, box.x1 - 1),
                      side.lanes.y0 + box.y + row - 1};
    draw.AddRectFilled(least, most, color.packed());
    if (critical && *critical) {
      draw.AddRect(least, most, palette.critical.packed(), 0, 0, context.px(2));
    }
    if (box.x1 - box.x0 >= kLeastLabelPx && !dim) {
      paint_label(look_of(side, box.lane, box.item), least, most, color, draw, context);
    }
  }
}

}  // namespace quintet::viewer
