/// What a step would take under another plan: time, spans, metrics, with the error to expect.
#pragma once

#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/whatif/device_model.h"
#include "profiler/whatif/step_model.h"
#include "profiler/whatif/task_costs.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"

namespace quintet {

/// Everything that predictions of one recording share.
struct CostModel {
  TaskCosts costs;
  DeviceModel device;
  /// Measured / predicted step of the recorded plan itself, applied to every prediction; 1 = unknown.
  double correction = 1;
};

/// The model of a recording: its own calibration, else the shipped constants for its device. Errors:
/// an import, no costs, a device that nothing is known of.
Result<CostModel> cost_model_of(const Trace& trace);

struct Prediction {
  double step_ns = 0;
  double error_share = 0;             ///< to expect, median: of DeviceModel::fit_error
  std::vector<std::string> unpriced;  ///< tasks without a cost
};

/// The step time alone: no spans are made. Errors: as step_model_of.
Result<Prediction> predict_step(const ExecutionPlan& plan, const CostModel& model);

/// A recording of `steps` predicted steps, marked as such: provenance `predicted` = "true". The plan
/// half is trace_of_plan's. Errors: as step_model_of.
Result<Trace> predicted_trace(const ExecutionPlan& plan, const CostModel& model, int steps = 8);

}  // namespace quintet
