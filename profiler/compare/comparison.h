/// What differs between two sides, each one recording or several of the same thing, as data: every
/// writer reads this and nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/compare/comparability.h"
#include "profiler/compare/recording_sample.h"
#include "profiler/compare/series_change.h"
#include "profiler/compare/task_alignment.h"
#include "profiler/metrics/metric.h"

namespace quintet {

/// A change with the p-value it has among all changes of its table.
struct TestedChange {
  SeriesChange change;
  double adjusted_p = 1;     ///< Benjamini and Hochberg, over the table
  bool significant = false;  ///< the interval leaves out 0, and adjusted_p <= kSignificance
};

struct TaskChange {
  AlignedTask task;
  TestedChange time;   ///< ns of work per step in which it ran
  std::string lane_a;  ///< "COMP_1"; "COMP_1+COMP_3" where its tasks or recordings differ
  std::string lane_b;
  std::optional<double> critical_a;  ///< share of steps in which it is on the critical path
  std::optional<double> critical_b;

  [[nodiscard]] bool moved_stream() const { return lane_a != lane_b; }
  /// On the path in most steps of one side and in a minority of the other's, clearly so.
  [[nodiscard]] bool moved_on_path() const;
};

struct LayerChange {
  std::string name;
  TestedChange time;  ///< ns of work on streams per step: the sum over its tasks
};

struct MetricChange {
  MetricDefinition definition;
  MetricState state_a = MetricState::unknown;
  MetricState state_b = MetricState::unknown;
  std::optional<double> a;  ///< nothing unless known
  std::optional<double> b;
  std::string reason;  ///< of the side that is not known
  std::optional<TestedChange> value;
};

/// A task that only one side ran.
struct UnmatchedTask {
  std::string name;
  std::string shape;
  std::string lane;
  double time_ns = 0;  ///< median per step in which it ran
};

struct ComparedSide {
  std::vector<std::string> files;
  Provenance provenance;  ///< of the first recording
  std::size_t timed_steps = 0;

  /// Empty where the recording does not say it.
  [[nodiscard]] std::string said(const std::string& provenance_key) const;
};

struct Comparison {
  ComparedSide a;
  ComparedSide b;
  AlignBy by = AlignBy::task;
  ResampleOptions resampling;
  std::vector<Caveat> caveats;
  std::optional<SeriesChange> step_time;  ///< nothing where a side has no step
  std::vector<MetricChange> metrics;      ///< in the order of the catalog
  std::vector<LayerChange> layers;        ///< largest difference first
  std::vector<TaskChange> tasks;          ///< largest difference first
  std::vector<UnmatchedTask> only_a;      ///< longest first
  std::vector<UnmatchedTask> only_b;

  /// Both sides have several recordings, or one borrows the other's spread.
  [[nodiscard]] bool between_processes_known() const {
    return a.files.size() > 1 || b.files.size() > 1;
  }
};

/// `a` and `b` hold at least one sample each, all aligned by the same.
Comparison compare_recordings(const std::vector<RecordingSample>& a,
                              const std::vector<RecordingSample>& b,
                              const ResampleOptions& options = {});

}  // namespace quintet
