#include "scenarios/cli/step_timing.h"

#include <algorithm>
#include <vector>

#include "runtime/exec/step_runner.h"

namespace quintet {

// Not by TrainingSession::run: that also reads all weights back, which takes longer than the steps.
std::optional<std::int64_t> time_steps(TrainingSession& session,
                                       const std::function<bool()>& must_stop) {
  const RunSchedule& schedule = session.schedule();
  if (static_cast<std::int64_t>(schedule.size()) < kTimedSteps) return std::nullopt;
  StepIo io = session.make_io();
  const std::unique_ptr<Executor> executor = session.make_executor(io, nullptr);
  std::vector<std::int64_t> lengths;
  std::int64_t last_end = 0;
  const auto finished = [&](const StepRun& run) {
    const bool full = run.variant.shape == schedule.front().variant.shape;
    if (run.step >= kTimingWarmUp && full) lengths.push_back(run.end_ns - last_end);
    last_end = run.end_ns;
    return run.step + 1 < kTimedSteps && !must_stop();
  };
  StepRunner(*executor, nullptr)
      .run(
          schedule, [](std::int64_t, StepRun&) {}, finished);
  if (lengths.empty()) return std::nullopt;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

}  // namespace quintet
