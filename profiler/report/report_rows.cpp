#include "profiler/report/report_rows.h"

#include <algorithm>
#include <utility>

#include "profiler/trace/clock_map.h"

namespace quintet {

std::vector<ReportClock> report_clocks(const Trace& trace) {
  std::vector<ReportClock> clocks;
  for (std::size_t clock = 1; clock < trace.clocks.size(); ++clock) {
    const auto id = static_cast<std::uint16_t>(clock);
    const ClockMap map(trace.clock_pairs, id);
    ReportClock row;
    row.name = trace.clocks[clock].name;
    row.lanes = static_cast<std::size_t>(
        std::count_if(trace.lane_clocks.begin(), trace.lane_clocks.end(),
                      [id](const TraceLaneClock& lane) { return lane.clock == id; }));
    row.readings = map.pairs().size();
    if (row.readings > 0) row.over_ns = map.pairs().back().trace_ns - map.pairs().front().trace_ns;
    row.drift_ns = map.drift_ns();
    row.most_drift_ns = map.most_drift_ns();
    clocks.push_back(std::move(row));
  }
  return clocks;
}

void list_ranges(const Trace& trace, const RangeOptions& options, Report& report) {
  const RangeSummary summary = summarise_ranges(trace, options);
  for (const RangeWork& range : summary.ranges) {
    report.ranges.push_back(
        {trace.tasks[range.task].name, range.ranges, range.work, range.busy_ns});
  }
  report.work_outside_ranges = summary.outside;
  report.work_of_ambiguous_ranges = summary.ambiguous;
}

}  // namespace quintet
