#include "profiler/analysis/span_class.h"

#include <algorithm>
#include <array>

namespace quintet {

namespace {

/// Sub-graphs whose names begin so belong to the update of a step.
constexpr auto kUpdateGraphs = std::to_array<std::string_view>(
    {"OPTIMIZER", "LARS_", "EMA_UPDATE", "CAST_", "ZERO_GRAD", "METRICS_",
     "NAN_CHECK_AND_GRAD_SCALING", "UPDATE_", "LR_SELECT"});

}  // namespace

SpanClass class_of(const TraceTask& task, const LaneTable& lanes) {
  const bool host_lane = task.policy_lane && task.policy_lane->value() < lanes.size() &&
                         lanes[task.policy_lane->value()].kind == LaneKind::host;
  if (host_lane || task.op_kind.starts_with("HOST_")) return SpanClass::host;
  if (task.op_kind == "H2D_COPY" || task.op_kind == "D2H_COPY") return SpanClass::transfer;
  if (task.op_kind.find("ALLREDUCE") != std::string::npos) return SpanClass::comm;
  const bool update =
      std::any_of(kUpdateGraphs.begin(), kUpdateGraphs.end(),
                  [&task](std::string_view prefix) { return task.graph.starts_with(prefix); });
  return update ? SpanClass::update : SpanClass::compute;
}

std::vector<SpanClass> task_classes(const Trace& trace) {
  std::vector<SpanClass> classes;
  classes.reserve(trace.tasks.size());
  for (const TraceTask& task : trace.tasks)
    classes.push_back(class_of(task, trace.lanes));
  return classes;
}

}  // namespace quintet
