/// Everything that the predictions of one recording share: the costs of its tasks and the constants
/// of its device.
#pragma once

#include <string>

#include "profiler/trace/trace.h"
#include "profiler/whatif/device_model.h"
#include "profiler/whatif/task_costs.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"

namespace quintet {

struct CostModel {
  TaskCosts costs;
  DeviceModel device;
  /// Measured / predicted step of the recorded plan, after the gap between kernels was fitted to
  /// it; every prediction is multiplied by it.
  double correction = 1;
};

/// What a recording was made on: its GPU, else its CPU; empty where it says neither.
std::string device_name_of(const Trace& trace);

/// The device of a recording: its own calibration, else what is shipped for it. Errors: an import;
/// a calibration that is damaged or another device's; a GPU that nothing is known of.
Result<DeviceModel> device_model_of(const Trace& trace);

/// The model of a recording whose plan was `recorded`. Of tasks that ran beside others the cost
/// alone is found by simulating the recorded plan until its task times are the recorded ones. The
/// gap between kernels, which differs from network to network, is fitted to the recorded step time:
/// the untraced one where it is known. Errors: those of device_model_of(), costs_of() and
/// step_model_of().
Result<CostModel> cost_model_of(const Trace& trace, const ExecutionPlan& recorded);

/// The same from costs as they were recorded, and the recorded step in ns (0 = unknown). Errors:
/// those of step_model_of().
Result<CostModel> cost_model_from(TaskCosts costs, const DeviceModel& device,
                                  const ExecutionPlan& recorded, double step_ns);

/// The same with given constants. Errors: those of costs_of() and step_model_of().
Result<CostModel> cost_model_with(const DeviceModel& device, const Trace& trace,
                                  const ExecutionPlan& recorded);

/// The step time of the recording in ns: untraced, else the median of its timed steps, else 0.
double recorded_step_ns(const Trace& trace);

}  // namespace quintet
