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

struct RunBatch {
  std::vector<std::vector<TaskRun>> tasks;  ///< by executor lane
  std::vector<StepRun> steps;
  std::vector<HostWaitRun> waits;
  std::vector<LaunchRun> launches;

  [[nodiscard]] std::int64_t spans() const {
    std::int64_t count = 0;
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

  TraceBatch convert(const RunBatch& runs);
  /// The finding "non_finite_loss", if there was one.
  [[nodiscard]] std::optional<Finding> non_finite_losses() const;

 private:
  TraceStep step_of(const StepRun& run);

  std::vector<std::string> shape_names_;
  std::map<GraphKey, std::uint32_t> graphs_;
  std::int64_t non_finite_ = 0;
  std::int64_t first_non_finite_ = 0;
};

}  // namespace quintet
