#include "profiler/whatif/prediction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <utility>

#include "profiler/capture/plan_to_trace.h"
#include "profiler/trace/span_order.h"
#include "profiler/trace/trace_batch.h"
#include "profiler/whatif/simulator.h"
#include "profiler/whatif/step_model.h"

namespace quintet {

namespace {

/// What a prediction has in common with the run that it is made from.
constexpr auto kMachineKeys = std::to_array<std::string_view>({"batch",
                                                               "connections",
                                                               "cpu",
                                                               "cuda_driver",
                                                               "cuda_runtime",
                                                               "cudnn",
                                                               "data",
                                                               "data_generated",
                                                               "data_shape",
                                                               "epochs",
                                                               "executor",
                                                               "gpu",
                                                               "machine",
                                                               "multiprocessors",
                                                               "network",
                                                               "onednn_version",
                                                               "quintet_version",
                                                               "scenario",
                                                               "scenario_toml",
                                                               "seed",
                                                               "steps"});

/// What each task does while it runs, one activity a task.
std::vector<TraceActivity> activities_of(const ExecutionPlan& plan, const StepModel& step,
                                         const CostModel& model) {
  std::vector<TraceActivity> activities(plan.tasks.size());
  for (SimIndex node = 0; node < step.labels.size(); ++node) {
    if (step.labels[node].kind != SimLabel::Kind::task) continue;
    const Task& task = plan.task(step.labels[node].task);
    TraceActivity& activity = activities[task.id.value()];
    activity.name = task.name;
    const double share = static_cast<double>(step.graph.nodes[node].sm_share);
    if (share <= 0) {
      activity.kind = ActivityKind::memcpy;
      activity.bytes = static_cast<std::uint64_t>(task.bytes);
      continue;
    }
    LaunchShape launch;
    launch.grid[0] =
        static_cast<std::uint32_t>(std::max(1.0, std::round(share * model.device.multiprocessors)));
    activity.launch = launch;
  }
  return activities;
}

/// The simulated step that is steady, and where it ends, in ns of the simulation.
struct SteadyStep {
  std::int32_t step = 0;
  double end_ns = 0;
};

SteadyStep steady_step(const StepModel& step, const SimTimes& times, const SimResult& result) {
  if (step.graph.step_ends.empty()) return {0, result.makespan_ns};
  return {step.steps - 1, times.end_ns[step.graph.step_ends.back()]};
}

/// Writes one simulated step again and again, a step time apart.
class StepWriter {
 public:
  StepWriter(Trace& trace, const StepModel& model, const SimTimes& times, const SteadyStep& steady,
             double step_ns, double scale)
      : trace_(trace),
        model_(model),
        times_(times),
        steady_(steady),
        step_ns_(step_ns),
        scale_(scale) {}

  void write(int step, bool on_device) {
    const double offset = (step + 2) * step_ns_ - steady_.end_ns * scale_;
    for (SimIndex node = 0; node < model_.labels.size(); ++node) {
      const SimLabel& label = model_.labels[node];
      const bool of_task = label.kind == SimLabel::Kind::task;
      if (!of_task && label.kind != SimLabel::Kind::host_task) continue;
      // A single graph holds the next step's transfer; several programs hold it in the one before.
      const bool one_graph = model_.graph.step_ends.empty();
      if (!one_graph && label.step != steady_.step) continue;
      Span span;
      span.begin_ns = std::llround(offset + times_.begin_ns[node] * scale_);
      span.end_ns = std::llround(offset + times_.end_ns[node] * scale_);
      span.task = label.task.value();
      span.step = step + (one_graph ? label.step : 0);
      const LaneId lane = of_task ? lane_of(label.stream) : lane_of(label.actor);
      span.lane = static_cast<std::uint16_t>(lane.value());
      span.executor_lane = span.lane;
      span.activity = of_task && on_device ? label.task.value() : kWholeTask;
      append_span(trace_.spans, span);
    }
    TraceStep row;
    row.step = step;
    row.phase = "train";
    row.slot = name_of(step % 2 == 0 ? BufferSlot::A : BufferSlot::B);
    row.begin_ns = std::llround((step + 1) * step_ns_);
    row.end_ns = std::llround((step + 2) * step_ns_);
    trace_.steps.push_back(std::move(row));
  }

 private:
  Trace& trace_;
  const StepModel& model_;
  const SimTimes& times_;
  SteadyStep steady_;
  double step_ns_;
  double scale_;
};

void add_provenance(const Trace& recording, const CostModel& model, Trace& trace) {
  for (const std::string_view key : kMachineKeys) {
    const auto found = recording.provenance.find(std::string(key));
    if (found != recording.provenance.end()) trace.provenance.insert(*found);
  }
  const auto policy = recording.provenance.find("policy");
  trace.provenance["predicted"] = "true";
  trace.provenance["predicted_from"] =
      policy == recording.provenance.end() ? "a recording" : policy->second;
  trace.provenance["predicted_model"] = model.device.provenance;
  trace.provenance["predicted_error"] =
      model.device.fit_error > 0 ? fmt::format("{:.4f}", model.device.fit_error) : "unknown";
  Finding finding;
  finding.severity = Severity::notice;
  finding.name = "predicted";
  finding.message =
      "nothing of this ran: times are predicted from " + trace.provenance["predicted_from"];
  trace.findings.push_back(std::move(finding));
}

/// The shape and batch of the predicted steps: those of the largest training batch.
void name_shape(const ExecutionPlan& plan, Trace& trace) {
  const ShapeVariant* full = nullptr;
  for (const ShapeVariant& shape : plan.shapes) {
    if (shape.training && (full == nullptr || shape.batch > full->batch)) full = &shape;
  }
  for (TraceStep& step : trace.steps) {
    if (full == nullptr) break;
    step.shape = full->name;
    step.batch = full->batch;
  }
}

}  // namespace

bool is_predicted(const Trace& trace) {
  const auto found = trace.provenance.find("predicted");
  return found != trace.provenance.end() && found->second == "true";
}

Result<Prediction> predict_step(const ExecutionPlan& plan, const CostModel& model) {
  auto step = step_model_of(plan, model.costs, model.device);
  if (!step) return tl::unexpected(step.error());
  const SimResult result = Simulator(model.device.contention).run(step->graph);
  Prediction prediction;
  prediction.step_ns = result.step_ns * model.correction;
  prediction.error_share = model.device.fit_error;
  prediction.worst_error_share =
      plan.mode == StepMode::host_sync
          ? std::max(model.device.worst_error, model.device.host_sync_error)
          : model.device.worst_error;
  prediction.unpriced = std::move(step->unpriced);
  return prediction;
}

Result<Trace> predicted_trace(const ExecutionPlan& plan, const CostModel& model,
                              const Trace& recording, int steps) {
  const auto step = step_model_of(plan, model.costs, model.device);
  if (!step) return tl::unexpected(step.error());
  SimTimes times;
  const SimResult result = Simulator(model.device.contention).run(step->graph, &times);
  Trace trace = trace_of_plan(plan);
  const bool on_device = model.device.contention.sharing == Sharing::first_come;
  if (on_device) trace.activities = activities_of(plan, *step, model);
  const double step_ns = result.step_ns * model.correction;
  StepWriter writer(trace, *step, times, steady_step(*step, times, result), step_ns,
                    model.correction);
  for (int index = 0; index < steps; ++index)
    writer.write(index, on_device);
  sort_spans(trace.spans);
  name_shape(plan, trace);
  add_provenance(recording, model, trace);
  trace.provenance["untraced_step_ns"] = fmt::format("{}", std::llround(step_ns));
  return trace;
}

}  // namespace quintet
