/// Interprets the step programs of a run: MAIN in the caller's thread, LOADER in one of its own.
#pragma once

#include <atomic>
#include <exception>
#include <functional>

#include "runtime/exec/executor.h"
#include "runtime/network/run_schedule.h"
#include "runtime/observe/observer.h"

namespace quintet {

/// Asked after each step that finished; false stops the run there (what was prefetched is dropped).
using StepCallback = std::function<bool(const StepRun& run)>;

/// What the results of a step were, asked when its HOST_RESULTS task has run.
using ResultOf = std::function<void(std::int64_t step, StepRun& run)>;

/// Owns nothing. Throws what a task threw. Usage: StepRunner(executor, observer).run(schedule,
/// results, callback);
class StepRunner {
 public:
  StepRunner(Executor& executor, Observer* observer) : executor_(executor), observer_(observer) {}

  /// Runs prologue, every step and the epilogue. Returns the number of steps that finished.
  std::int64_t run(const RunSchedule& schedule, const ResultOf& results,
                   const StepCallback& finished);

 private:
  void run_loader(const RunSchedule& schedule);
  void run_program(const StepProgram& program, std::int64_t step, HostActor actor);
  void run_command(const Command& command, std::int64_t step);
  void finish_step(std::int64_t step);
  const StepProgram* program_of(std::int64_t step) const;
  /// Whether any program of the run records the event for that step.
  bool is_recorded(StepEvent event, std::int64_t step) const;
  StepVariant epilogue_variant(std::int64_t steps) const;

  Executor& executor_;
  Observer* observer_;
  const RunSchedule* schedule_ = nullptr;
  const ResultOf* results_ = nullptr;
  const StepCallback* finished_callback_ = nullptr;
  std::vector<std::int64_t> begin_ns_;
  std::int64_t finished_ = 0;
  bool stop_asked_ = false;
  std::atomic<bool> loader_stops_{false};
  std::exception_ptr loader_failure_;
};

}  // namespace quintet
