#include "profiler/report/range_section.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "profiler/report/format.h"
#include "profiler/report/text_table.h"

namespace quintet {

namespace {

constexpr std::size_t kMostRanges = 20;

std::string count_of(std::int64_t count) {
  return format_number(static_cast<double>(count));
}

}  // namespace

std::string range_section(const Report& report, const TextOptions& options) {
  if (report.ranges.empty() && report.work_of_ambiguous_ranges == 0) return {};
  std::vector<std::vector<std::string>> rows;
  const std::size_t shown = std::min(report.ranges.size(), kMostRanges);
  for (std::size_t row = 0; row < shown; ++row) {
    const ReportRange& range = report.ranges[row];
    rows.push_back({range.name, count_of(range.ranges), count_of(range.work),
                    format_duration(static_cast<double>(range.busy_ns))});
  }
  std::string text = "\nRanges by the device work launched inside, whole recording\n";
  text += text_table({{"range", ColumnAlign::left},
                      {"ranges", ColumnAlign::right},
                      {"work", ColumnAlign::right},
                      {"busy", ColumnAlign::right}},
                     rows, options.unicode);
  if (report.ranges.size() > shown)
    text += fmt::format("  and {} more\n", report.ranges.size() - shown);
  if (report.work_outside_ranges > 0)
    text += fmt::format("  {} works belong to no range\n", count_of(report.work_outside_ranges));
  if (report.work_of_ambiguous_ranges > 0) {
    text += fmt::format("  {} works are not attributed: several started ranges held their launch\n",
                        count_of(report.work_of_ambiguous_ranges));
  }
  return text;
}

}  // namespace quintet
