/// What an observer saw since the last flush, as the runtime told it, and its conversion to a
/// TraceBatch.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profiler/trace/trace_batch.h"
#include "runtime/observe/observer.h"

namespace quintet {

struct RecordedStep {
  StepRun run;
  StepRecording recording = StepRecording::all;
};

struct RecordedLaunch {
  LaunchRun run;
  std::uint32_t correlation = 0;  ///< of what it launched; 0 = unknown
};

struct RunBatch {
  std::vector<std::vector<TaskRun>> tasks;  ///< by executor lane
  TraceBatch device;                        ///< what a GPU did: tables and spans
  std::vector<RecordedStep> steps;
  std::vector<HostWaitRun> waits;
  std::vector<RecordedLaunch> launches;

  [[nodiscard]] std::int64_t spans() const {
    auto count = static_cast<std::int64_t>(device.spans.size());
    for (const std::vector<TaskRun>& lane : tasks)
      count += static_cast<std::int64_t>(lane.size());
    return count;
  }
};

/// Knows the names of one plan, and counts the losses that are no finite numbers, which a trace
/// cannot hold.
class RunConverter {
 public:
  explicit RunConverter(const ExecutionPlan& plan);

  TraceBatch convert(RunBatch runs);
  /// The finding "non_finite_loss", if there was one.
  [[nodiscard]] std::optional<Finding> non_finite_losses() const;

 private:
  TraceStep step_of(const RecordedStep& recorded);

  std::vector<std::string> shape_names_;
  std::map<GraphKey, std::uint32_t> graphs_;
  std::int64_t non_finite_ = 0;
  std::int64_t first_non_finite_ = 0;
};

}  // namespace quintet
