#include "viewer/widgets/scatter_plot.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>

#include "viewer/widgets/imgui_versions.h"
#include "viewer/widgets/plot_canvas.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr float kRadius = 4.5F;
/// The pointer is on a point this near to it, in units.
constexpr float kReach = 10;

void paint_mark(ImVec2 at, MarkShape shape, const Color& color, float radius) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const std::uint32_t packed = color.packed();
  switch (shape) {
    case MarkShape::circle:
      draw.AddCircleFilled(at, radius, packed);
      break;
    case MarkShape::square:
      draw.AddRectFilled({at.x - radius * 0.85F, at.y - radius * 0.85F},
                         {at.x + radius * 0.85F, at.y + radius * 0.85F}, packed);
      break;
    case MarkShape::diamond:
      draw.AddQuadFilled({at.x, at.y - radius * 1.35F}, {at.x + radius * 1.35F, at.y},
                         {at.x, at.y + radius * 1.35F}, {at.x - radius * 1.35F, at.y}, packed);
      break;
    case MarkShape::triangle:
      draw.AddTriangleFilled({at.x, at.y - radius * 1.2F},
                             {at.x + radius * 1.15F, at.y + radius * 0.9F},
                             {at.x - radius * 1.15F, at.y + radius * 0.9F}, packed);
      break;
    case MarkShape::cross:
      draw.AddLine({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}, packed,
                   radius * 0.5F);
      draw.AddLine({at.x - radius, at.y + radius}, {at.x + radius, at.y - radius}, packed,
                   radius * 0.5F);
      break;
  }
}

bool finite(const ScatterPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

void take_ranges(const ScatterFrame& frame, const std::vector<ScatterSeries>& series,
                 PlotCanvas& canvas) {
  for (const ScatterSeries& each : series) {
    for (const ScatterPoint& point : each.points) {
      if (!finite(point)) continue;
      canvas.x.take(point.x);
      canvas.y.take(point.y);
    }
  }
  if (canvas.x.empty()) return;
  if (frame.limit_x) canvas.x.take(frame.limit_x->value);
  // A limit that nothing comes near would press all points together.
  constexpr double kNear = 2;
  const double length = canvas.y.high - canvas.y.low;
  if (frame.limit_y && frame.limit_y->value < canvas.y.high + kNear * length) {
    canvas.y.take(frame.limit_y->value);
  }
  canvas.x.widen();
  canvas.y.widen();
  canvas.x.pad(0.04);
  canvas.y.pad(0.12);
}

void draw_limits(const ScatterFrame& frame, const PlotCanvas& canvas, const Fonts& fonts,
                 const Palette& palette, float scale) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImFont* font = fonts.small;
  const std::uint32_t color = palette.dim.packed();
  if (frame.limit_x) {
    const float x = canvas.at(frame.limit_x->value, canvas.y.low).x;
    draw.AddLine({x, canvas.least.y}, {x, canvas.most.y}, color, 1.4F * scale);
    draw.AddText(font, size_px(font), {x + 4 * scale, canvas.most.y - size_px(font) - 2}, color,
                 frame.limit_x->name.c_str());
  }
  if (frame.limit_y && frame.limit_y->value <= canvas.y.high) {
    const float y = canvas.at(canvas.x.low, frame.limit_y->value).y;
    draw.AddLine({canvas.least.x, y}, {canvas.most.x, y}, color, 1.4F * scale);
    draw.AddText(font, size_px(font), {canvas.least.x + 4 * scale, y + 2}, color,
                 frame.limit_y->name.c_str());
  }
}

/// Along the time that a point takes, then down to the memory of the next.
void draw_front(const ScatterFrame& frame, const PlotCanvas& canvas, float scale) {
  std::vector<ImVec2> stairs;
  for (const ScatterPoint& point : frame.front) {
    if (!finite(point)) continue;
    const ImVec2 at = canvas.at(point.x, point.y);
    if (!stairs.empty()) {
      const float height = stairs.back().y;
      stairs.emplace_back(at.x, height);
    }
    stairs.push_back(at);
  }
  if (stairs.size() < 2) return;
  ImGui::GetWindowDrawList()->AddPolyline(stairs.data(), static_cast<int>(stairs.size()),
                                          frame.front_color.packed(), 0, 1.4F * scale);
}

/// To the right of the title, as far as there is room.
void draw_legend(const ScatterFrame& frame, const std::vector<ScatterSeries>& series, ImVec2 origin,
                 float right, const Fonts& fonts, const Palette& palette, float scale) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImFont* font = fonts.small;
  const auto width_of = [](ImFont* face, const std::string& text) {
    return face->CalcTextSizeA(size_px(face), 1e6F, 0, text.c_str()).x;
  };
  float x = origin.x + width_of(fonts.bold, frame.title) + 18 * scale;
  for (const ScatterSeries& each : series) {
    if (each.points.empty()) continue;
    const float width = width_of(font, each.name);
    if (x + 10 * scale + width > right) return;
    paint_mark({x, origin.y + size_px(font) * 0.6F}, each.shape, each.color, 3.6F * scale);
    draw.AddText(font, size_px(font), {x + 9 * scale, origin.y}, palette.dim.packed(),
                 each.name.c_str());
    x += width + 26 * scale;
  }
}

std::optional<ScatterPick> nearest(const std::vector<ScatterSeries>& series,
                                   const PlotCanvas& canvas, float scale) {
  std::optional<ScatterPick> pick;
  const ImVec2 pointer = ImGui::GetIO().MousePos;
  float least = kReach * scale;
  for (std::size_t row = 0; row < series.size(); ++row) {
    for (std::size_t point = 0; point < series[row].points.size(); ++point) {
      if (!finite(series[row].points[point])) continue;
      const ImVec2 at = canvas.at(series[row].points[point].x, series[row].points[point].y);
      const float away = std::hypot(at.x - pointer.x, at.y - pointer.y);
      if (away >= least) continue;
      least = away;
      pick = ScatterPick{row, point, false};
    }
  }
  return pick;
}

}  // namespace

void draw_mark(MarkShape shape, const Color& color, float scale) {
  const float side = 10 * scale;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  paint_mark({at.x + side / 2, at.y + ImGui::GetTextLineHeight() / 2}, shape, color, 3.8F * scale);
  ImGui::Dummy({side, ImGui::GetTextLineHeight()});
  ImGui::SameLine(0, 5 * scale);
}

std::optional<ScatterPick> draw_scatter(const char* id, const ScatterFrame& frame,
                                        const std::vector<ScatterSeries>& series, float width,
                                        float height, const Fonts& fonts, const Palette& palette,
                                        float scale) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const bool clicked = ImGui::InvisibleButton(id, {std::max(width, 1.0F), std::max(height, 1.0F)});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddText(fonts.bold, size_px(fonts.bold), origin, palette.text.packed(), frame.title.c_str());
  PlotCanvas canvas = PlotCanvas::within(origin, width, height, scale);
  take_ranges(frame, series, canvas);
  if (!canvas.drawable() || canvas.x.empty()) return std::nullopt;
  draw_legend(frame, series, origin, canvas.most.x, fonts, palette, scale);
  canvas.draw_axes({frame.format_x, frame.format_y}, fonts, palette);
  draw_limits(frame, canvas, fonts, palette, scale);
  draw_front(frame, canvas, scale);
  for (const ScatterSeries& each : series) {
    for (const ScatterPoint& point : each.points) {
      if (finite(point))
        paint_mark(canvas.at(point.x, point.y), each.shape, each.color, kRadius * scale);
    }
  }
  std::optional<ScatterPick> pick = hovered ? nearest(series, canvas, scale) : std::nullopt;
  if (!pick) return pick;
  const ScatterPoint& point = series[pick->series].points[pick->point];
  draw.AddCircle(canvas.at(point.x, point.y), 8 * scale, palette.selection.packed(), 0,
                 1.5F * scale);
  tooltip(point.note);
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  pick->clicked = clicked;
  return pick;
}

}  // namespace quintet::viewer
