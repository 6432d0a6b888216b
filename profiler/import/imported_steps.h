/// The training steps of an import: what its files told, made one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "profiler/import/finding_counts.h"
#include "profiler/import/import_source.h"
#include "profiler/import/step_name.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// A step as one file tells it, by the file's own clock.
struct ToldStep {
  ImportSourceId source;
  NamedStep step;
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;
};

/// A step that a file lists whole, by the file's own clock.
struct RestoredStep {
  ImportSourceId source;
  TraceStep step;
};

/// Owns the steps, times absolute. A step that several files tell (ranks) reaches from the first
/// begin to the last end; of one file the first of a number counts, and of several sorts of marks
/// the surest. What is left out is counted in `findings`: "repeated_step", "other_step_marks",
/// "impossible_step".
class ImportedSteps {
 public:
  ImportedSteps() = default;
  ImportedSteps(const std::vector<ToldStep>& told, std::vector<RestoredStep> restored,
                const std::vector<ImportSource>& sources, FindingCounts& findings);

  [[nodiscard]] bool empty() const { return by_begin_.empty(); }
  /// Makes one step, number 0, of a range: for imports that name none ("no_steps").
  void take_whole(std::int64_t begin_ns, std::int64_t end_ns, FindingCounts& findings);
  /// In order of their ends, as a trace lists them.
  [[nodiscard]] std::vector<TraceStep> by_end() const;
  /// The number of the step that holds a time, of several the one that began last; -1 = none.
  [[nodiscard]] std::int32_t at(std::int64_t time_ns) const;
  /// True where a time interval and a step have a moment in common.
  [[nodiscard]] bool touch(std::int64_t begin_ns, std::int64_t end_ns) const;

 private:
  std::vector<TraceStep> by_begin_;
  std::vector<std::int64_t> latest_end_ns_;  ///< of those up to each
};

}  // namespace quintet
