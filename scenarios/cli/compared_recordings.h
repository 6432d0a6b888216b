/// Reading the recordings of two sides, for the commands that compare them.
#pragma once

#include <string>
#include <vector>

#include "profiler/compare/comparison.h"
#include "profiler/report/report.h"
#include "runtime/model/result.h"

namespace CLI {
class App;
}

namespace quintet {

struct ComparedRecordings {
  std::vector<RecordingSample> a;
  std::vector<RecordingSample> b;
  /// Of the first recording of each side.
  Report report_a;
  Report report_b;
};

/// The recordings that words of the command line name: a file is itself, a folder all .qtrace and
/// .qtrace.gz files in it, sorted. Errors: a folder without one; an unknown recorded scenario.
Result<std::vector<std::string>> recordings_of(const std::vector<std::string>& words);

/// What of the recordings is needed; less is faster.
enum class ComparedParts : std::uint8_t {
  step_and_tasks,
  everything,  ///< metrics, critical paths and reports too
};

/// Holds one trace at a time, but for the first of each side. Errors: those of read_trace.
Result<ComparedRecordings> read_compared(const std::vector<std::string>& a,
                                         const std::vector<std::string>& b, ComparedParts parts);

/// --resamples and --seed.
void add_resample_options(CLI::App& app, ResampleOptions& options);

}  // namespace quintet
