/// One run of one task as analysis sees it: the hull of its spans. On a GPU a task is several
/// kernels; what an importer calls a task is a name, of which every span is a run of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "profiler/analysis/interval_set.h"
#include "profiler/analysis/step_window.h"
#include "profiler/trace/trace.h"

namespace quintet {

struct RunInterval {
  std::uint32_t task = 0;
  std::int32_t step = 0;  ///< the step it serves
  LaneId lane;
  Interval time;             ///< hull of its spans
  std::int64_t busy_ns = 0;  ///< union of its spans
  std::int64_t cpu_ns = 0;   ///< -1 = unknown
  std::uint32_t spans = 0;
  std::uint32_t correlation =
      0;  ///< of the first span with one: the call that launched it; 0 = none
};

enum class RunChoice : std::uint8_t {
  touching,  ///< every run with a span in the window
  begun,     ///< those that begin in the window
};

/// The runs of a window by begin, end, lane, task. Spans with an unknown task or lane are skipped,
/// and so is on streams what is no work. A run that crosses the window's border counts with the
/// spans that touch the window.
std::vector<RunInterval> task_runs(const Trace& trace, const StepWindow& window, RunChoice choice);

}  // namespace quintet
