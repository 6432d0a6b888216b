#include "profiler/capture/run_batch.h"

#include <cassert>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "profiler/capture/plan_to_trace.h"

namespace quintet {

RunConverter::RunConverter(const ExecutionPlan& plan) : graphs_(graph_indices(plan)) {
  for (const ShapeVariant& shape : plan.shapes)
    shape_names_.push_back(shape.name);
}

TraceBatch RunConverter::convert(RunBatch runs) {
  TraceBatch batch = std::move(runs.device);
  for (const std::vector<TaskRun>& lane : runs.tasks) {
    for (const TaskRun& run : lane) {
      append_span(batch.spans, {run.begin_ns, run.end_ns, run.cpu_ns, run.task.value(),
                                static_cast<std::int32_t>(run.step),
                                static_cast<std::uint16_t>(run.lane.value()),
                                static_cast<std::uint16_t>(run.executor_lane.value())});
    }
  }
  for (const RecordedStep& step : runs.steps)
    batch.steps.push_back(step_of(step));
  for (const HostWaitRun& run : runs.waits) {
    const bool for_stream = run.kind == CommandKind::host_sync;
    const std::string target(for_stream ? name_of(run.stream) : name_of(run.event));
    batch.host_waits.push_back({lane_of(run.actor), static_cast<std::int32_t>(run.step),
                                std::string(name_of(run.kind)), target, run.begin_ns, run.end_ns});
  }
  for (const auto& [run, correlation] : runs.launches) {
    const auto graph = graphs_.find(run.graph);
    assert(graph != graphs_.end() && "only captured graphs are launched");
    if (graph == graphs_.end()) continue;
    batch.launches.push_back({graph->second, lane_of(run.stream),
                              static_cast<std::int32_t>(run.step), run.begin_ns, run.end_ns,
                              correlation});
  }
  return batch;
}

TraceStep RunConverter::step_of(const RecordedStep& recorded) {
  const StepRun& run = recorded.run;
  TraceStep step;
  step.recording = recorded.recording;
  step.step = run.step;
  step.phase = name_of(run.variant.phase);
  step.shape = shape_names_.at(run.variant.shape.value());
  step.slot = name_of(run.variant.slot);
  step.batch = run.batch;
  step.begin_ns = run.begin_ns;
  step.end_ns = run.end_ns;
  step.loss = run.loss;
  step.correct = run.correct;
  step.learning_rate = run.learning_rate;
  if (step.loss && !std::isfinite(*step.loss)) {
    step.loss.reset();
    if (non_finite_++ == 0) first_non_finite_ = run.step;
  }
  return step;
}

std::optional<Finding> RunConverter::non_finite_losses() const {
  if (non_finite_ == 0) return std::nullopt;
  return Finding{Severity::error, "non_finite_loss",
                 fmt::format("the loss of {} steps is no finite number, first at step {}",
                             non_finite_, first_non_finite_),
                 non_finite_};
}

}  // namespace quintet
