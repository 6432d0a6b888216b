#include "viewer/views/tune_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "profiler/report/format.h"
#include "viewer/widgets/line_plot.h"
#include "viewer/widgets/plot_canvas.h"

namespace quintet::viewer {

namespace {

constexpr std::array kOrigins = {PolicyOrigin::built_in, PolicyOrigin::computed,
                                 PolicyOrigin::recording, PolicyOrigin::search};

std::string title_of(PolicyOrigin origin) {
  switch (origin) {
    case PolicyOrigin::recording:
      return "as recorded";
    case PolicyOrigin::built_in:
      return "built in";
    case PolicyOrigin::computed:
      return "computed";
    case PolicyOrigin::search:
      return "found";
  }
  return {};
}

std::string note_of(const TuneCandidate& candidate) {
  return fmt::format("{}\n{:.4f} ms predicted, {}, {}{}\n{}\nClick takes it",
                     candidate.rated.policy.name, candidate.rated.step_ns / 1e6,
                     format_bytes(static_cast<double>(candidate.rated.memory_bytes)),
                     candidate.rated.race_free ? "race-free" : "races",
                     candidate.within ? "" : ", over the limit of memory", candidate.changes);
}

/// Writes values in units of `unit` with as many digits as tell ticks apart over `length` values.
std::function<std::string(double)> numbers(double unit, double length) {
  const double tick = length / unit / 5;
  const int digits =
      tick > 0 ? std::clamp(static_cast<int>(std::ceil(-std::log10(tick))), 0, 5) : 2;
  return [unit, digits](double value) { return fmt::format("{:.{}f}", value / unit, digits); };
}

/// A room of the height that is left, and never too small to be read.
ImVec2 plot_room(const ViewContext& context) {
  const ImVec2 room = ImGui::GetContentRegionAvail();
  return {room.x, std::max(room.y - context.px(8), context.px(90))};
}

/// Series and, for each of their points, the candidate that it stands for.
struct FrontPoints {
  std::vector<ScatterSeries> series;
  std::vector<std::vector<std::size_t>> candidates;
};

FrontPoints points_of(const Tuning& tuning, const MeasureKeeper* measure, const Palette& palette) {
  FrontPoints points;
  for (const PolicyOrigin origin : kOrigins) {
    const CandidateLook look = look_of(origin, palette);
    ScatterSeries series{title_of(origin), look.shape, look.color, {}};
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < tuning.candidates.size(); ++at) {
      const TuneCandidate& each = tuning.candidates[at];
      if (each.rated.origin != origin) continue;
      series.points.push_back(
          {each.rated.step_ns, static_cast<double>(each.rated.memory_bytes), note_of(each)});
      places.push_back(at);
    }
    points.series.push_back(std::move(series));
    points.candidates.push_back(std::move(places));
  }
  ScatterSeries measured{"measured", MarkShape::cross, palette.text, {}};
  std::vector<std::size_t> places;
  for (const Measurement& each :
       measure == nullptr ? std::vector<Measurement>() : measure->measurements()) {
    if (!each.step_ns) continue;
    const TuneCandidate& candidate = tuning.candidates[each.candidate];
    const auto step_ns = static_cast<double>(*each.step_ns);
    measured.points.push_back(
        {step_ns, static_cast<double>(candidate.rated.memory_bytes),
         fmt::format("{:.4f} ms measured\n{}", step_ns / 1e6, note_of(candidate))});
    places.push_back(each.candidate);
  }
  points.series.push_back(std::move(measured));
  points.candidates.push_back(std::move(places));
  return points;
}

ScatterFrame frame_of(const Tuning& tuning, const Palette& palette) {
  ScatterFrame frame;
  frame.title = "MiB by ms a step";
  frame.front_color = palette.accent;
  PlotRange time;
  PlotRange memory;
  for (const TuneCandidate& each : tuning.candidates) {
    time.take(each.rated.step_ns);
    memory.take(static_cast<double>(each.rated.memory_bytes));
    if (each.on_front) {
      frame.front.push_back({each.rated.step_ns, static_cast<double>(each.rated.memory_bytes), {}});
    }
  }
  frame.format_x = numbers(1e6, time.high - time.low);
  frame.format_y = numbers(0x1p20, memory.high - memory.low);
  if (tuning.bound.ns() > 0) frame.limit_x = ScatterLimit{tuning.bound.ns(), "lower bound"};
  if (tuning.choice.most_memory_mib > 0) {
    frame.limit_y =
        ScatterLimit{static_cast<double>(tuning.choice.most_memory_mib) * 0x1p20, "limit"};
  }
  return frame;
}

}  // namespace

CandidateLook look_of(PolicyOrigin origin, const Palette& palette) {
  switch (origin) {
    case PolicyOrigin::recording:
      return {MarkShape::diamond, palette.warn};
    case PolicyOrigin::built_in:
      return {MarkShape::square, palette.dim};
    case PolicyOrigin::computed:
      return {MarkShape::triangle, palette.good};
    case PolicyOrigin::search:
      return {MarkShape::circle, palette.accent};
  }
  return {};
}

std::optional<CandidatePick> draw_tune_front(const Tuning& tuning, const MeasureKeeper* measure,
                                             ViewContext& context) {
  const FrontPoints points = points_of(tuning, measure, context.palette);
  const ImVec2 room = plot_room(context);
  const auto pick =
      draw_scatter("##front", frame_of(tuning, context.palette), points.series, room.x, room.y,
                   context.fonts, context.palette, context.frame.scale);
  if (!pick) return std::nullopt;
  return CandidatePick{points.candidates[pick->series][pick->point], pick->clicked};
}

void draw_tune_progress(const TuneStanding& standing, ViewContext& context) {
  PlotSeries best{"", context.palette.accent, {}, false};
  // Stairs: a best holds until it is beaten.
  for (const TunePoint& point : standing.best) {
    const auto x = static_cast<double>(point.candidates);
    if (!best.points.empty()) best.points.push_back({x, best.points.back().y, {}});
    best.points.push_back({x, point.best_ns, fmt::format("after {:.2f} s", point.seconds)});
  }
  if (!best.points.empty()) {
    best.points.push_back({static_cast<double>(standing.candidates), best.points.back().y, {}});
  }
  PlotFrame frame;
  frame.title = "Best step time so far";
  frame.x_name = "mapping";
  frame.format_x = format_number;
  frame.format_y = format_duration;
  const ImVec2 room = plot_room(context);
  draw_plot("##progress", frame, {best}, room.x, room.y, context.fonts, context.palette,
            context.frame.scale);
}

}  // namespace quintet::viewer
