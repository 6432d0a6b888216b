/// One recorded run of a scenario, from its names to a finished recording.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiler/capture/step_sampling.h"
#include "profiler/metrics/metric.h"
#include "profiler/trace/trace.h"
#include "runtime/exec/training_session.h"
#include "runtime/model/result.h"
#include "scenarios/cli/executor_options.h"
#include "scenarios/cli/policy_options.h"
#include "scenarios/cli/run_listener.h"
#include "scenarios/cli/scenario_options.h"

namespace quintet {

struct RunOptions {
  ScenarioOptions scenario;
  PolicyOptions policy;
  ExecutorOptions executor;
  DeviceRecording record = DeviceRecording::sampled;  ///< of a GPU
  std::string out;  ///< empty = <scenario>-<policy>.qtrace in this folder
  bool allow_races = false;
  std::string title;  ///< what reports begin with; empty = the scenario's name
  std::string memo;
};

struct RunOutcome {
  std::string scenario;
  std::string policy;
  std::string executor;
  std::string lowering;
  TrainingResult result;
  std::string recording;
  Trace trace;
  std::vector<MetricValue> metrics;
  std::optional<std::int64_t> untraced_step_ns;  ///< of the steps without recording
  std::vector<std::string>
      races;  ///< not empty: rejected by the proof; nothing ran unless races were allowed
  bool ran = false;
  bool interrupted = false;
  std::optional<Error> recording_error;  ///< why the recording stops before the run does
};

/// Plans, proves, times a few steps without recording, then runs and records. Progress goes to
/// standard error where that is a terminal, and to the listener if there is one. Errors: the user's
/// input; a recording that cannot be begun. Throws what a task threw.
Result<RunOutcome> run_scenario(const RunOptions& options, RunListener* listener = nullptr);

}  // namespace quintet
