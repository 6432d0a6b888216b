/// Fits the constants of a device to measured steps.
#pragma once

#include <string>
#include <vector>

#include "profiler/whatif/cost_model.h"
#include "profiler/whatif/device_model.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"

namespace quintet {

/// A plan that ran, and its step.
struct MeasuredPlan {
  std::string name;
  ExecutionPlan plan;
  double step_ns = 0;
};

/// What was measured of one network: a recording for its costs, and other plans of the same tasks.
struct FitCase {
  Trace recording;
  ExecutionPlan recorded;
  std::vector<MeasuredPlan> measured;
};

/// One plan after the fit.
struct FittedPlan {
  std::string name;
  double predicted_ns = 0;
  double measured_ns = 0;
  StepMode mode = StepMode::whole_step;
  [[nodiscard]] double error() const { return predicted_ns / measured_ns - 1; }
};

struct FitResult {
  DeviceModel device;  ///< its errors set
  std::vector<FittedPlan> plans;
};

/// Least squares of the relative errors, `rounds` steps of Levenberg and Marquardt's method at most;
/// constants that the cases say nothing of stay as they are. Begins at `start`, whose device,
/// sharing and sizes stay. The same cases give the same constants. Errors: no measured plan; those
/// of cost_model_of() and predict_step().
Result<FitResult> fit_device_model(const DeviceModel& start, const std::vector<FitCase>& cases,
                                   int rounds = 10);

/// Predictions with the constants as they are, in the order of the cases. Errors: the same.
Result<FitResult> judge_device_model(const DeviceModel& device, const std::vector<FitCase>& cases);

}  // namespace quintet
