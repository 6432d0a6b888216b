/// One recording as a comparison sees it: what each task took in each timed step. Small, so that
/// many recordings can be compared without holding their spans.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/analysis/span_class.h"
#include "profiler/compare/block_resampling.h"
#include "profiler/metrics/metric.h"
#include "profiler/trace/trace.h"

namespace quintet {

/// What tells that two tasks of two recordings are the same.
enum class AlignBy : std::uint8_t {
  task,    ///< the semantic ids a task covers and its shape variant: recordings of our runtime
  kernel,  ///< name and occurrence in the step (by graph node where known): imported traces
};

constexpr std::string_view name_of(AlignBy by) {
  switch (by) {
    case AlignBy::task:
      return "task";
    case AlignBy::kernel:
      return "kernel";
  }
  return {};
}

/// By kernel as soon as one of them is imported: it has no tasks of ours.
AlignBy alignment_of(const Trace& a, const Trace& b);

/// The samples of one task (all tasks of that name and shape), or of one kernel occurrence.
struct TaskSample {
  std::string name;
  std::string layer;
  std::string shape;
  std::vector<std::string> ids;  ///< what it is aligned by
  SpanClass span_class = SpanClass::compute;
  StepSeries time_ns;  ///< per step that has spans: union of its own; NaN = none
  std::map<std::string, std::int64_t> lanes;  ///< busy time by the lane its policy chose
  std::vector<bool> critical;                 ///< per step of the path sample
};

struct RecordingSample {
  std::string file;
  std::string identity;  ///< recording_identity
  RecordingState state = RecordingState::complete;
  Provenance provenance;
  AlignBy by = AlignBy::task;
  bool timed = true;  ///< false: no step could be timed, all steps stand in for them
  std::size_t timed_steps = 0;
  StepSeries step_time_ns;     ///< of the sampled steps, in step order
  std::size_t task_steps = 0;  ///< steps that the tasks' times rest on: those that have spans
  std::size_t path_steps = 0;  ///< steps whose critical path was computed
  std::vector<TaskSample> tasks;
  std::vector<MetricValue> metrics;
  std::vector<Finding> findings;  ///< what was lost or went wrong while it was recorded

  /// Empty where the recording does not say it.
  [[nodiscard]] std::string said(const std::string& provenance_key) const;
};

/// Steps of a recording beyond this are sampled: sixteen evenly spread runs of consecutive steps.
inline constexpr std::size_t kSampledSeries = 512;

struct SampleOptions {
  AlignBy by = AlignBy::task;
  bool metrics = true;
  std::size_t path_steps = 16;  ///< 0 = no critical path
};

/// `file` only names the recording in messages.
RecordingSample sample_recording(const Trace& trace, const std::string& file,
                                 const SampleOptions& options = {});

/// At most kSampledSeries of `count` positions, in order.
std::vector<std::size_t> sampled_positions(std::size_t count);

}  // namespace quintet
