/// Where a time axis has its ticks, and what they say: round numbers, in the unit that suits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/model/timeline/timeline_camera.h"

namespace quintet::viewer {

struct RulerTick {
  double x_px = 0;
  std::string label;  ///< "12.5 ms" after the origin; empty for a minor tick
};

/// Ticks in view, left to right; labelled ones at least `least_px` apart. Times count from
/// `origin_ns`.
std::vector<RulerTick> ruler_ticks(const TimeView& view, std::int64_t origin_ns,
                                   double least_px = 110);

/// A duration with every digit that a step of `step_ns` needs: "12.500 ms" for steps of 1 us.
std::string axis_label(double ns, double step_ns);

}  // namespace quintet::viewer
