#include "profiler/analysis/span_class.h"

#include <algorithm>
#include <array>

namespace quintet {

namespace {

/// Sub-graphs whose names begin so belong to the update of a step.
constexpr auto kUpdateGraphs = std::to_array<std::string_view>(
    {"OPTIMIZER", "LARS_", "EMA_UPDATE", "CAST_", "ZERO_GRAD", "METRICS_",
     "NAN_CHECK_AND_GRAD_SCALING", "UPDATE_", "LR_SELECT"});

bool part_of_identifier(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= '0' && byte <= '9') || byte == '_';
}

/// True for "ncclDevKernel_AllReduce...", "void ncclKernel...": an identifier begins with it.
bool names_nccl(std::string_view name) {
  constexpr std::string_view kPrefix = "nccl";
  for (std::size_t at = name.find(kPrefix); at != std::string_view::npos;
       at = name.find(kPrefix, at + 1)) {
    if (at == 0 || !part_of_identifier(name[at - 1])) return true;
  }
  return false;
}

/// Copies by an importer's own kinds: "MEMCPY_HTOD". Within a device, arrays included, they are no
/// transfer: they use its memory as a kernel does.
bool is_imported_transfer(const TraceTask& task) {
  constexpr auto kWithinDevice =
      std::to_array<std::string_view>({"MEMCPY_DTOD", "MEMCPY_DTOA", "MEMCPY_ATOD", "MEMCPY_ATOA"});
  return task.op_kind.starts_with("MEMCPY") &&
         std::find(kWithinDevice.begin(), kWithinDevice.end(), task.op_kind) == kWithinDevice.end();
}

}  // namespace

SpanClass class_of(const TraceTask& task, const LaneTable& lanes) {
  const bool host_lane = task.policy_lane && task.policy_lane->value() < lanes.size() &&
                         lanes[task.policy_lane->value()].kind == LaneKind::host;
  if (host_lane || task.op_kind.starts_with("HOST_") || task.op_kind == "API_CALL") {
    return SpanClass::host;
  }
  if (task.op_kind == "H2D_COPY" || task.op_kind == "D2H_COPY" || is_imported_transfer(task)) {
    return SpanClass::transfer;
  }
  if (task.op_kind.find("ALLREDUCE") != std::string::npos) return SpanClass::comm;
  if (task.op_kind == "KERNEL" && names_nccl(task.name)) return SpanClass::comm;
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
