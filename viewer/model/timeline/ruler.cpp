#include "viewer/model/timeline/ruler.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace quintet::viewer {

namespace {

struct TimeUnit {
  double ns = 1;
  const char* name = "ns";
};

constexpr std::array<TimeUnit, 4> kUnits = {{{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};
constexpr int kMostDigits = 9;

/// The least of 1, 2, 5, 10, 20, ... that is at least `least`.
double round_step(double least) {
  const double decade = std::pow(10.0, std::floor(std::log10(std::max(1.0, least))));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * decade >= least) return factor * decade;
  }
  return 10 * decade;
}

}  // namespace

std::string axis_label(double ns, double step_ns) {
  if (ns == 0) return "0";
  const auto unit = std::find_if(kUnits.begin(), kUnits.end() - 1,
                                 [&](const TimeUnit& each) { return std::abs(ns) >= each.ns; });
  int digits = 0;
  double step = step_ns / unit->ns;
  // Digits until the step is a whole number of the last of them.
  while (digits < kMostDigits && std::abs(step - std::round(step)) > 1e-6 * step) {
    step *= 10;
    ++digits;
  }
  return fmt::format("{:.{}f} {}", ns / unit->ns, digits, unit->name);
}

std::vector<RulerTick> ruler_ticks(const TimeView& view, std::int64_t origin_ns, double least_px) {
  std::vector<RulerTick> ticks;
  const double step = round_step(least_px * view.ns_per_px);
  const double leading = step / std::pow(10.0, std::floor(std::log10(step) + 1e-9));
  const int parts = leading > 1.5 && leading < 4 ? 4 : 5;
  const bool minor = step / parts >= 1;
  const double part = minor ? step / parts : step;
  const double begin = offset_ns(origin_ns, view.begin_ns) + view.fraction_ns;
  const double count = std::ceil(view.width_px * view.ns_per_px / part) + 1;
  const double first = std::ceil(begin / part);
  for (double tick = 0; tick < count; ++tick) {
    const double number = first + tick;
    const double time = number * part;
    const double x = (time - begin) / view.ns_per_px;
    if (x < 0 || x > view.width_px) continue;
    const double steps = time / step;
    const bool major = std::abs(steps - std::round(steps)) < 1e-6 * std::max(1.0, std::abs(steps));
    ticks.push_back({x, major ? axis_label(std::round(steps) * step, step) : std::string()});
  }
  return ticks;
}

}  // namespace quintet::viewer
