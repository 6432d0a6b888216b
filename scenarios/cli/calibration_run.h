/// Short runs of one scenario under several policies, and the constants that explain them.
#pragma once

#include <string>
#include <vector>

#include "profiler/whatif/model_fit.h"
#include "runtime/model/result.h"
#include "scenarios/cli/executor_options.h"
#include "scenarios/cli/scenario_options.h"

namespace quintet {

struct CalibrationOptions {
  ScenarioOptions scenario;
  std::vector<std::string> recordings;  ///< in place of runs of a scenario
  ExecutorOptions executor;
  std::string out;  ///< the recording that is made; empty = <scenario>-calibrated.qtrace
  /// Other recordings of the device that take the constants, too; of recordings in place of runs
  /// nothing = they themselves.
  std::vector<std::string> into;
  double seconds = 60;  ///< no run begins after so long
};

struct Calibration {
  std::vector<std::string> recordings;  ///< that hold the constants now
  FitResult fit;
  double fit_seconds = 0;
  std::size_t left_out = 0;  ///< runs for which there was no time
};

/// Fits to recordings, or: records the scenario on one stream in whole steps, times it under the other policies and step
/// modes, fits, and stores the constants in the recording. Errors: the user's input; fewer steps than
/// a timing needs; a signal; those of fit_cases_of() and fit_device_model(). Throws what a task
/// threw.
Result<Calibration> run_calibration(const CalibrationOptions& options);

}  // namespace quintet
