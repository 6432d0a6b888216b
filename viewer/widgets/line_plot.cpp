#include "viewer/widgets/line_plot.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <limits>

#include "viewer/widgets/imgui_versions.h"
#include "viewer/widgets/plot_canvas.h"

namespace quintet::viewer {

namespace {

void draw_series(const PlotCanvas& canvas, const PlotSeries& series, float scale) {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  std::vector<ImVec2> line;
  const auto points = thinned(series.points, canvas.most.x - canvas.least.x);
  // A line of one point would not be seen.
  const bool dots = series.dots || points.size() == 1;
  for (const PlotPoint& point : points) {
    line.push_back(canvas.at(point.x, point.y));
    if (dots) draw.AddCircleFilled(line.back(), 3.5F * scale, series.color.packed());
  }
  if (line.size() > 1) {
    draw.AddPolyline(line.data(), static_cast<int>(line.size()), series.color.packed(), 0,
                     1.6F * scale);
  }
}

/// The point nearest to the pointer by x, over all curves.
void draw_readout(const PlotCanvas& canvas, const PlotFrame& frame,
                  const std::vector<PlotSeries>& series, const Palette& palette, float scale) {
  const float pointer = ImGui::GetIO().MousePos.x;
  const PlotSeries* nearest_series = nullptr;
  const PlotPoint* nearest = nullptr;
  float least = std::numeric_limits<float>::infinity();
  for (const PlotSeries& each : series) {
    for (const PlotPoint& point : each.points) {
      if (!std::isfinite(point.y)) continue;
      const ImVec2 at = canvas.at(point.x, point.y);
      const float away =
          std::abs(at.x - pointer) + std::abs(at.y - ImGui::GetIO().MousePos.y) * 0.05F;
      if (away >= least) continue;
      least = away;
      nearest = &point;
      nearest_series = &each;
    }
  }
  if (nearest == nullptr) return;
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  const ImVec2 at = canvas.at(nearest->x, nearest->y);
  draw.AddLine({at.x, canvas.least.y}, {at.x, canvas.most.y}, palette.dim.packed());
  draw.AddCircleFilled(at, 4 * scale, nearest_series->color.packed());
  std::string text =
      frame.x_name + " " + frame.format_x(nearest->x) + ": " + frame.format_y(nearest->y);
  if (!nearest_series->name.empty()) text = nearest_series->name + "\n" + text;
  if (!nearest->note.empty()) text += "\n" + nearest->note;
  ImGui::SetTooltip("%s", text.c_str());
}

}  // namespace

std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points, float width) {
  std::vector<PlotPoint> finite;
  std::copy_if(points.begin(), points.end(), std::back_inserter(finite),
               [](const PlotPoint& p) { return std::isfinite(p.x) && std::isfinite(p.y); });
  const auto most = static_cast<std::size_t>(std::max(width, 1.0F));
  if (finite.size() <= 2 * most) return finite;
  std::vector<PlotPoint> kept;
  for (std::size_t bucket = 0; bucket < most; ++bucket) {
    const auto begin = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() * bucket / most);
    const auto end =
        finite.begin() + static_cast<std::ptrdiff_t>(finite.size() * (bucket + 1) / most);
    auto [low, high] = std::minmax_element(
        begin, end, [](const PlotPoint& a, const PlotPoint& b) { return a.y < b.y; });
    if (high < low) std::swap(low, high);
    kept.push_back(*low);
    if (low != high) kept.push_back(*high);
  }
  return kept;
}

void draw_plot(const char* id, const PlotFrame& frame, const std::vector<PlotSeries>& series,
               float width, float height, const Fonts& fonts, const Palette& palette, float scale) {
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, {std::max(width, 1.0F), std::max(height, 1.0F)});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  draw.AddText(fonts.bold, size_px(fonts.bold), origin, palette.text.packed(), frame.title.c_str());
  PlotCanvas canvas = PlotCanvas::within(origin, width, height, scale);
  if (frame.from_zero) canvas.y.take(0);
  for (const PlotSeries& each : series) {
    for (const PlotPoint& point : each.points) {
      if (!std::isfinite(point.y)) continue;
      canvas.x.take(point.x);
      canvas.y.take(point.y);
    }
  }
  if (!canvas.drawable()) return;
  if (canvas.x.empty()) {
    draw.AddText({canvas.least.x, (canvas.least.y + canvas.most.y) / 2}, palette.dim.packed(),
                 "nothing to draw yet");
    return;
  }
  canvas.x.widen();
  canvas.y.widen();
  canvas.draw_axes({frame.format_x, frame.format_y}, fonts, palette);
  draw.PushClipRect({canvas.least.x - 4 * scale, canvas.least.y - 4 * scale},
                    {canvas.most.x + 4 * scale, canvas.most.y + 4 * scale}, true);
  for (const PlotSeries& each : series)
    draw_series(canvas, each, scale);
  draw.PopClipRect();
  if (hovered) draw_readout(canvas, frame, series, palette, scale);
}

}  // namespace quintet::viewer
