/// What a step would take under another plan: its time with the error to expect, and its spans as a
/// recording.
#pragma once

#include <string>
#include <vector>

#include "profiler/trace/trace.h"
#include "profiler/whatif/cost_model.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"

namespace quintet {

struct Prediction {
  double step_ns = 0;
  /// Median error to expect, of step_ns, and the worst that was seen; 0 = unknown: the constants
  /// were never held against measured steps.
  double error_share = 0;
  double worst_error_share = 0;
  std::vector<std::string> unpriced;  ///< tasks that no cost is known of
};

/// The step time alone: no spans are made. Errors: those of step_model_of().
Result<Prediction> predict_step(const ExecutionPlan& plan, const CostModel& model);

/// True for what predicted_trace() made.
bool is_predicted(const Trace& trace);

/// A recording of predicted steps, marked so in its provenance (`predicted`, `predicted_from`,
/// `predicted_error`). The plan's half is trace_of_plan's; what the machine is comes from
/// `recording`. Each task is one span on its policy lane, with the blocks that its SM share stands
/// for. `steps` full training steps, all alike. Errors: those of step_model_of().
Result<Trace> predicted_trace(const ExecutionPlan& plan, const CostModel& model,
                              const Trace& recording, int steps = 8);

}  // namespace quintet
