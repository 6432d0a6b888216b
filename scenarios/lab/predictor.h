/// What a recorded run would do under another policy: planned again, proved, predicted.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profiler/whatif/prediction.h"
#include "runtime/model/execution_plan.h"
#include "runtime/model/result.h"
#include "runtime/policy/hazard_proof.h"
#include "scenarios/lab/replanner.h"

namespace quintet {

/// Tasks of one kind and part that went from one stream to another.
struct MovedTasks {
  std::string what;  ///< "CONV_AMP_BWD/dW"
  StreamKind from = StreamKind::COMP_1;
  StreamKind to = StreamKind::COMP_1;
  std::uint32_t tasks = 0;
};

struct WhatIf {
  ExecutionPlan plan;
  ProofReport proof;
  Prediction prediction;
  std::vector<MovedTasks> moved;  ///< against the recorded plan, most tasks first
};

/// Owns the run of a recording and its cost model. Threads: const calls from any number. Usage:
/// auto predictor = Predictor::of_trace(trace); auto what_if = predictor->what_if(policy);
class Predictor {
 public:
  /// Errors: those of Replanner::of_trace() and cost_model_of().
  static Result<Predictor> of_trace(const Trace& trace);

  /// Plans, proves and predicts. A plan with races is predicted too: whoever shows it looks at the
  /// proof. Errors: those of build_plan() and predict_step().
  [[nodiscard]] Result<WhatIf> what_if(const StreamPolicy& policy) const;

  /// The predicted steps as a recording; of races it says so in its verdict and findings.
  /// `recording` is the one that the predictor was made of. Errors: those of predicted_trace().
  [[nodiscard]] Result<Trace> trace_of(const WhatIf& what_if, const StreamPolicy& policy,
                                       const Trace& recording) const;

  [[nodiscard]] const Replanner& replanner() const { return replanner_; }
  [[nodiscard]] const CostModel& model() const { return model_; }
  [[nodiscard]] const ExecutionPlan& recorded() const { return recorded_; }
  /// The recorded step, untraced where that is known, in ns; 0 = unknown.
  [[nodiscard]] double recorded_ns() const { return recorded_ns_; }

 private:
  Predictor(Replanner replanner, ExecutionPlan recorded, CostModel model, double recorded_ns)
      : replanner_(std::move(replanner)),
        recorded_(std::move(recorded)),
        model_(std::move(model)),
        recorded_ns_(recorded_ns) {}

  Replanner replanner_;
  ExecutionPlan recorded_;
  CostModel model_;
  double recorded_ns_ = 0;
};

}  // namespace quintet
