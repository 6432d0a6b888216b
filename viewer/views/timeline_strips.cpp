#include "viewer/views/timeline_strips.h"

#include <algorithm>
#include <fmt/format.h>

#include "profiler/report/format.h"
#include "viewer/model/timeline/ruler.h"
#include "viewer/widgets/imgui_versions.h"

namespace quintet::viewer {

namespace {

float width_of(ImFont* font, const std::string& text) {
  return font->CalcTextSizeA(size_px(font), 1e6F, 0, text.data(), text.data() + text.size()).x;
}

void write(ImDrawList& draw, ImFont* font, const ImVec2& at, const Color& color,
           const std::string& text) {
  draw.AddText(font, size_px(font), at, color.packed(), text.data(), text.data() + text.size());
}

float minimap_x(const ScreenBox& minimap, const Interval& extent, std::int64_t time) {
  const double length = static_cast<double>(length_ns(extent.begin, extent.end));
  const double share = std::clamp(offset_ns(extent.begin, time) / std::max(1.0, length), 0.0, 1.0);
  return minimap.x0 + static_cast<float>(share) * minimap.width();
}

void paint_flags(const TimelineCanvas& canvas, ImDrawList& draw, const ViewContext& context) {
  for (const SideCanvas& side : canvas.sides) {
    for (const Bookmark& mark : side.held->bookmarks) {
      const std::int64_t begin = shifted_by(mark.begin_ns, side.shift_ns);
      const double px = canvas.view.px_of(begin);
      if (px < 0 || px > canvas.view.width_px) continue;
      const float x = canvas.ruler.x0 + static_cast<float>(px);
      const float size = context.px(6);
      const std::uint32_t color = context.palette.warn.packed();
      draw.AddLine({x, canvas.ruler.y0}, {x, canvas.lanes.y1},
                   context.palette.warn.with_alpha(110).packed());
      draw.AddTriangleFilled({x, canvas.ruler.y0}, {x + size * 1.4F, canvas.ruler.y0 + size / 2},
                             {x, canvas.ruler.y0 + size}, color);
      const ImVec2 mouse = ImGui::GetMousePos();
      const bool over = canvas.ruler.contains(mouse) && std::abs(mouse.x - x) < size;
      if (over) {
        ImGui::SetTooltip("%s%s%s", mark.note.empty() ? "bookmark" : mark.note.c_str(),
                          mark.task.empty() ? "" : "\n", mark.task.c_str());
      }
    }
  }
}

void paint_step_numbers(const TimelineCanvas& canvas, ImDrawList& draw,
                        const ViewContext& context) {
  if (canvas.sides.empty()) return;
  const SideCanvas& side = canvas.sides.front();
  const StepAxis& axis = side.held->base->steps;
  const StepAxis::Slice seen = axis.within(side.request.view.range());
  ImFont* font = context.fonts.small;
  float free_from = canvas.ruler.x0;
  for (std::size_t step = seen.first; step < seen.last; ++step) {
    const StepMark& mark = axis.steps()[step];
    const float x = std::max(canvas.ruler.x0, side.x_of(mark.time.begin));
    const std::string text = fmt::format("step {}", mark.step);
    const float width = width_of(font, text);
    const float end = step + 1 < axis.steps().size() ? side.x_of(axis.steps()[step + 1].time.begin)
                                                     : canvas.ruler.x1;
    if (x < free_from || std::min(end, canvas.ruler.x1) - x < width + context.px(8)) continue;
    const bool current = context.workbench.step == mark.step;
    write(draw, font, {x + context.px(4), canvas.ruler.y0 + context.px(1)},
          current ? context.palette.accent : context.palette.dim, text);
    free_from = x + width + context.px(12);
  }
}

}  // namespace

std::int64_t minimap_time(const ScreenBox& minimap, const Interval& extent, float x) {
  const double share = std::clamp((x - minimap.x0) / std::max(1.0F, minimap.width()), 0.0F, 1.0F);
  const double length = static_cast<double>(length_ns(extent.begin, extent.end));
  return later_by(extent.begin, static_cast<std::uint64_t>(std::min(share * length, 0x1p63)));
}

void paint_minimap(const TimelineCanvas& canvas, const Interval& extent, ImDrawList& draw,
                   const ViewContext& context) {
  const ScreenBox& box = canvas.minimap;
  draw.AddRectFilled({box.x0, box.y0}, {box.x1, box.y1}, context.palette.lane.packed());
  if (canvas.sides.empty()) return;
  const float part = box.height() / static_cast<float>(canvas.sides.size());
  float top = box.y0;
  for (const SideCanvas& side : canvas.sides) {
    const Minimap& map = side.held->base->minimap;
    const std::uint32_t color = context.palette.of(side.side).with_alpha(190).packed();
    const float bottom = top + part - 1;
    for (std::size_t column = 0; column < map.busy.size() && map.most > 0; ++column) {
      const float x0 =
          minimap_x(box, extent,
                    shifted_by(column_begin(map.extent, column, map.busy.size()), side.shift_ns));
      const float x1 = minimap_x(
          box, extent,
          shifted_by(column_begin(map.extent, column + 1, map.busy.size()), side.shift_ns));
      const float height = static_cast<float>(map.busy[column] / map.most) * (part - 3);
      if (height > 0)
        draw.AddRectFilled({x0, bottom - height}, {std::max(x1, x0 + 1), bottom}, color);
    }
    top += part;
  }
  const Interval seen = canvas.view.range();
  const float x0 = minimap_x(box, extent, seen.begin);
  const float x1 = std::max(x0 + context.px(3), minimap_x(box, extent, seen.end));
  const std::uint32_t shade = context.palette.background.with_alpha(150).packed();
  draw.AddRectFilled({box.x0, box.y0}, {x0, box.y1}, shade);
  draw.AddRectFilled({x1, box.y0}, {box.x1, box.y1}, shade);
  draw.AddRect({x0, box.y0}, {x1, box.y1}, context.palette.accent.packed(), 0, 0, context.px(1.5F));
}

void paint_ruler(const TimelineCanvas& canvas, std::int64_t origin_ns, ImDrawList& draw,
                 const ViewContext& context) {
  const ScreenBox& box = canvas.ruler;
  draw.AddRectFilled({box.x0, box.y0}, {box.x1, box.y1}, context.palette.raised.packed());
  ImFont* font = context.fonts.small;
  const float middle = (box.y0 + box.y1) / 2;
  for (const RulerTick& tick : ruler_ticks(canvas.view, origin_ns, context.px(105))) {
    const float x = box.x0 + static_cast<float>(tick.x_px);
    const bool major = !tick.label.empty();
    draw.AddLine({x, major ? middle : box.y1 - context.px(4)}, {x, box.y1},
                 context.palette.border.packed());
    if (!major) continue;
    draw.AddLine({x, canvas.lanes.y0}, {x, canvas.lanes.y1},
                 context.palette.border.with_alpha(70).packed());
    if (x + width_of(font, tick.label) + context.px(4) > box.x1) continue;
    write(draw, font, {x + context.px(3), middle}, context.palette.text, tick.label);
  }
  paint_step_numbers(canvas, draw, context);
  paint_flags(canvas, draw, context);
}

void paint_measure(const TimelineCanvas& canvas, const Interval& range,
                   const RangeStatistics* statistics, ImDrawList& draw,
                   const ViewContext& context) {
  if (range.empty()) return;
  const auto x_of = [&canvas](std::int64_t time) {
    return canvas.lanes.x0 +
           static_cast<float>(std::clamp(canvas.view.px_of(time), 0.0, canvas.view.width_px));
  };
  const float x0 = x_of(range.begin);
  const float x1 = x_of(range.end);
  const Color& color = context.palette.accent;
  draw.AddRectFilled({x0, canvas.ruler.y0}, {x1, canvas.lanes.y1}, color.with_alpha(36).packed());
  draw.AddLine({x0, canvas.ruler.y0}, {x0, canvas.lanes.y1}, color.packed());
  draw.AddLine({x1, canvas.ruler.y0}, {x1, canvas.lanes.y1}, color.packed());
  ImFont* font = context.fonts.bold;
  std::string text = format_duration(static_cast<double>(length_ns(range.begin, range.end)));
  if (statistics != nullptr) {
    text += fmt::format("\n{} spans, busy {}\nsum {}, mean {}", statistics->spans,
                        format_duration(static_cast<double>(statistics->busy_ns)),
                        format_duration(static_cast<double>(statistics->sum_ns)),
                        format_duration(statistics->mean_ns()));
  }
  const ImVec2 size =
      font->CalcTextSizeA(size_px(font), 1e6F, 0, text.data(), text.data() + text.size());
  const float pad = context.px(5);
  const float x = std::clamp((x0 + x1 - size.x) / 2, canvas.lanes.x0,
                             std::max(canvas.lanes.x0, canvas.lanes.x1 - size.x - 2 * pad));
  const float y = canvas.lanes.y0 + context.px(4);
  draw.AddRectFilled({x, y}, {x + size.x + 2 * pad, y + size.y + 2 * pad},
                     context.palette.raised.packed(), context.px(3));
  draw.AddRect({x, y}, {x + size.x + 2 * pad, y + size.y + 2 * pad}, color.packed(), context.px(3));
  write(draw, font, {x + pad, y + pad}, context.palette.text, text);
}

}  // namespace quintet::viewer
