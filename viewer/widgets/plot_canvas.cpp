#include "viewer/widgets/plot_canvas.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "viewer/widgets/imgui_versions.h"

namespace quintet::viewer {

std::vector<double> round_ticks(double low, double high, int count) {
  if (!std::isfinite(low) || !std::isfinite(high) || count < 1) return {};
  if (high <= low) return {low};
  const double rough = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  const double last = std::floor(high / step + 1e-9);
  for (double tick = first; tick <= last && ticks.size() < 100; ++tick)
    ticks.push_back(tick * step + 0.0);  // never "-0"
  return ticks;
}

std::vector<LabelledTick> labelled(const std::vector<double>& ticks,
                                   const std::function<std::string(double)>& format) {
  const auto text_of = [&format](double tick) {
    std::string text = format(tick);
    return text == "-0" ? std::string("0") : text;
  };
  const auto away = [](const LabelledTick& tick) {
    return std::abs(std::strtod(tick.text.c_str(), nullptr) - tick.value);
  };
  std::vector<LabelledTick> kept;
  for (const double tick : ticks) {
    LabelledTick next{tick, text_of(tick)};
    if (kept.empty() || kept.back().text != next.text) {
      kept.push_back(std::move(next));
    } else if (away(next) < away(kept.back())) {
      kept.back() = std::move(next);
    }
  }
  return kept;
}

void PlotRange::take(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

void PlotRange::widen() {
  if (high > low) return;
  const double around = low == 0 ? 1 : std::abs(low) * 0.1;
  low -= around;
  high += around;
}

void PlotRange::pad(double share) {
  const double more = (high - low) * share;
  low -= more;
  high += more;
}

PlotCanvas PlotCanvas::within(ImVec2 origin, float width, float height, float scale) {
  PlotCanvas canvas;
  canvas.least = {origin.x + 64 * scale, origin.y + 22 * scale};
  canvas.most = {origin.x + width - 12 * scale, origin.y + height - 20 * scale};
  return canvas;
}

ImVec2 PlotCanvas::at(double px, double py) const {
  const double across = (px - x.low) / (x.high - x.low);
  const double up = (py - y.low) / (y.high - y.low);
  return {least.x + static_cast<float>(across) * (most.x - least.x),
          most.y - static_cast<float>(up) * (most.y - least.y)};
}

void PlotCanvas::draw_axes(const PlotTicks& ticks, const Fonts& fonts,
                           const Palette& palette) const {
  ImDrawList& draw = *ImGui::GetWindowDrawList();
  ImFont* font = fonts.small;
  const auto write = [&](ImVec2 place, const std::string& text, float align) {
    const ImVec2 size = font->CalcTextSizeA(size_px(font), 1e6F, 0, text.c_str());
    draw.AddText(font, size_px(font), {place.x - size.x * align, place.y}, palette.dim.packed(),
                 text.c_str());
  };
  for (const LabelledTick& tick : labelled(round_ticks(y.low, y.high, 4), ticks.format_y)) {
    const float height = at(x.low, tick.value).y;
    draw.AddLine({least.x, height}, {most.x, height}, palette.border.packed());
    write({least.x - 6, height - size_px(font) / 2}, tick.text, 1);
  }
  for (const LabelledTick& tick : labelled(round_ticks(x.low, x.high, 6), ticks.format_x)) {
    const float across = at(tick.value, y.low).x;
    draw.AddLine({across, most.y}, {across, most.y + 3}, palette.border.packed());
    write({across, most.y + 4}, tick.text, 0.5F);
  }
}

}  // namespace quintet::viewer
