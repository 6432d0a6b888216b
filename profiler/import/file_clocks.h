/// The clocks of the files of one import, made one: absolute times, times that cannot be, files that
/// cannot be of one run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/import/finding_counts.h"
#include "profiler/import/import_source.h"
#include "profiler/import/imported_steps.h"
#include "profiler/import/lane_book.h"
#include "profiler/trace/trace.h"
#include "runtime/model/result.h"

namespace quintet {

/// Times after it (the year 2000) are Unix time.
inline constexpr std::int64_t kFirstUnixTime = 946'684'800'000'000'000;

/// Works on the parts of a trace under construction, which it borrows. Lanes are those of the book.
class FileClocks {
 public:
  struct Parts {
    const LaneBook& lanes;
    std::vector<ImportSource>& sources;
    SpanColumns& spans;
    std::vector<TraceUntimed>& untimed;
    std::vector<ToldStep>& steps;  ///< by the clocks of their files
    FindingCounts& findings;
  };
  explicit FileClocks(const Parts& parts);

  /// Makes the times of spans absolute. Listed as untimed, raw: times that cannot be
  /// ("time_out_of_range"), and a few that lie more than an hour from all others of their clock
  /// ("outlier_times"), with the steps that they name. Where no side is the few, "distant_times".
  void apply();
  /// After apply(). Errors: two files of one rank; the same recording twice; files of which some
  /// report Unix times and some do not; files that were recorded more than a minute apart.
  Result<void> check();
  /// Gives each file without a rank the lowest free one, if there are several files.
  void number_ranks();

 private:
  [[nodiscard]] std::optional<std::int64_t> absolute(std::uint16_t lane,
                                                     std::int64_t time_ns) const;
  void make_untimed(std::size_t span);
  void drop_outliers();
  void compare_clocks();
  void drop_steps(const std::vector<TraceUntimed>& outliers);
  [[nodiscard]] Result<void> check_ranks() const;

  Parts parts_;
  std::vector<std::uint32_t> clock_of_lane_;  ///< two for each source: devices', hosts'
};

}  // namespace quintet
