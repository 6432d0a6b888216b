/// One step drawn in a terminal: a row per stream lane, time in columns.
#pragma once

#include <string>

#include "profiler/report/report.h"

namespace quintet {

struct TimelineOptions {
  std::size_t width = 100;   ///< columns of a line
  bool unicode = true;       ///< false: plain ASCII
  std::int64_t axis_ns = 0;  ///< length of the axis, to draw steps on one scale; 0 = the step's own
};

/// A column's block is as high as the share of its time in which the lane works; names of tasks
/// stand in their bars where they fit, the longest task first. Under the rows an axis with units,
/// behind them the lane's share of the step. Lanes that never worked say "unused"; of many lanes
/// only the busiest are drawn. Above the rows stands what a reader must know: that recording slowed
/// the steps, or that the step's work was not recorded.
std::string terminal_timeline(const Report& report, const StepTimeline& timeline,
                              const TimelineOptions& options);

}  // namespace quintet
