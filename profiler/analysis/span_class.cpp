#include "profiler/analysis/span_class.h"

#include <algorithm>
#include <array>

#include "profiler/analysis/device_work.h"

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

/// True where an identifier of the name begins with the prefix.
bool begins_identifier(std::string_view name, std::string_view prefix) {
  for (std::size_t at = name.find(prefix); at != std::string_view::npos;
       at = name.find(prefix, at + 1)) {
    if (at == 0 || !part_of_identifier(name[at - 1])) return true;
  }
  return false;
}

/// True for "ncclDevKernel_AllReduce...", "void ncclKernel...", of other libraries too, and for
/// XLA's collectives: "all-gather-start.2".
bool names_collective(std::string_view name) {
  constexpr auto kLibraries = std::to_array<std::string_view>({"nccl", "rccl", "msccl", "oneccl"});
  constexpr auto kOps = std::to_array<std::string_view>(
      {"all-reduce", "all_reduce", "all-gather", "all_gather", "reduce-scatter", "reduce_scatter",
       "all-to-all", "all_to_all", "ragged-all-to-all", "collective-permute", "collective_permute",
       "collective-broadcast"});
  return std::any_of(kLibraries.begin(), kLibraries.end(),
                     [&](std::string_view library) { return begins_identifier(name, library); }) ||
         std::any_of(kOps.begin(), kOps.end(),
                     [&](std::string_view op) { return name.starts_with(op); });
}

/// Copies by an importer's own kinds: "MEMCPY_HTOD". Within a device, arrays included, they are no
/// transfer: they use its memory as a kernel does.
bool is_imported_transfer(const TraceTask& task) {
  constexpr auto kWithinDevice =
      std::to_array<std::string_view>({"MEMCPY_DTOD", "MEMCPY_DTOA", "MEMCPY_ATOD", "MEMCPY_ATOA"});
  return task.op_kind.starts_with("MEMCPY") &&
         std::find(kWithinDevice.begin(), kWithinDevice.end(), task.op_kind) == kWithinDevice.end();
}

/// True for a copy between memories, by the name that the driver or a profiler gives it; one that
/// says no direction counts.
bool is_transfer(const TraceActivity& activity) {
  constexpr auto kWithinDevice = std::to_array<std::string_view>(
      {"DtoD", "DtoA", "AtoD", "AtoA", "D2D", "d2d", "DeviceToDevice", "DEVICE_TO_DEVICE"});
  return activity.kind == ActivityKind::memcpy &&
         std::none_of(kWithinDevice.begin(), kWithinDevice.end(), [&](std::string_view word) {
           return activity.name.find(word) != std::string::npos;
         });
}

/// Per task: whether it did work on a device, and nothing but transfers.
std::vector<bool> only_transfers(const Trace& trace) {
  std::vector<bool> transfers(trace.tasks.size());
  std::vector<bool> others(trace.tasks.size());
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    const std::uint32_t task = trace.spans.task[span];
    const std::uint32_t activity = trace.spans.activity[span];
    if (task >= trace.tasks.size() || !is_device_activity(trace, activity)) continue;
    (is_transfer(trace.activities[activity]) ? transfers : others)[task] = true;
  }
  for (std::size_t task = 0; task < others.size(); ++task)
    transfers[task] = transfers[task] && !others[task];
  return transfers;
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
  if (task.op_kind == "KERNEL" && names_collective(task.name)) return SpanClass::comm;
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
  const std::vector<bool> copies = only_transfers(trace);
  for (std::size_t task = 0; task < classes.size(); ++task) {
    if (classes[task] == SpanClass::compute && copies[task]) classes[task] = SpanClass::transfer;
  }
  return classes;
}

SpanClass class_of_span(const Trace& trace, const std::vector<SpanClass>& task_classes,
                        std::size_t span) {
  const SpanClass of_task = task_classes.at(trace.spans.task[span]);
  const std::uint32_t activity = trace.spans.activity[span];
  const bool copy = activity < trace.activities.size() && is_transfer(trace.activities[activity]);
  return of_task == SpanClass::compute && copy ? SpanClass::transfer : of_task;
}

}  // namespace quintet
