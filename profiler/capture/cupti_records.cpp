#include "profiler/capture/cupti_records.h"

#include <cstdlib>
#include <cstring>

namespace quintet {

namespace {

/// Records are packed: whole copies keep every field aligned.
template <class Record>
Record copy_of(const CUpti_Activity& activity) {
  Record record;
  std::memcpy(&record, &activity, sizeof record);
  return record;
}

std::optional<std::uint32_t> channel_of(CUpti_ChannelType type, std::uint32_t id) {
  return type == CUPTI_CHANNEL_TYPE_INVALID ? std::nullopt : std::optional(id);
}

template <class Record>
DeviceRecord common(const Record& from, ActivityKind kind) {
  DeviceRecord record;
  record.kind = kind;
  record.begin_ns = static_cast<std::int64_t>(from.start);
  record.end_ns = static_cast<std::int64_t>(from.end);
  record.device = from.deviceId;
  record.context = from.contextId;
  record.stream = from.streamId;
  record.correlation = from.correlationId;
  return record;
}

/// Of what may be a node of a graph.
template <class Record>
DeviceRecord node(const Record& from, ActivityKind kind) {
  DeviceRecord record = common(from, kind);
  record.graph_node = from.graphNodeId;
  record.graph = from.graphId;
  record.channel = channel_of(from.channelType, from.channelID);
  return record;
}

DeviceRecord kernel(const CUpti_Activity& activity, KernelNames& names) {
  const auto from = copy_of<CUpti_ActivityKernel10>(activity);
  DeviceRecord record = node(from, ActivityKind::kernel);
  record.name = names.of(from.name);
  LaunchShape launch;
  launch.grid = {static_cast<std::uint32_t>(from.gridX), static_cast<std::uint32_t>(from.gridY),
                 static_cast<std::uint32_t>(from.gridZ)};
  launch.block = {static_cast<std::uint32_t>(from.blockX), static_cast<std::uint32_t>(from.blockY),
                  static_cast<std::uint32_t>(from.blockZ)};
  launch.registers = from.registersPerThread;
  launch.static_shared_bytes = static_cast<std::uint64_t>(from.staticSharedMemory);
  launch.dynamic_shared_bytes = static_cast<std::uint64_t>(from.dynamicSharedMemory);
  record.launch = launch;
  return record;
}

std::string_view copy_name(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return "Memcpy HtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return "Memcpy DtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return "Memcpy DtoD";
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return "Memcpy HtoH";
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return "Memcpy PtoP";
    default:  // a byte of the driver's: other values mean arrays, which nothing here uses
      return "Memcpy";
  }
}

DeviceRecord copy(const CUpti_Activity& activity) {
  const auto from = copy_of<CUpti_ActivityMemcpy6>(activity);
  DeviceRecord record = node(from, ActivityKind::memcpy);
  record.name = copy_name(from.copyKind);
  record.bytes = from.bytes;
  return record;
}

DeviceRecord fill(const CUpti_Activity& activity) {
  const auto from = copy_of<CUpti_ActivityMemset4>(activity);
  DeviceRecord record = node(from, ActivityKind::memset);
  record.name = "Memset";
  record.bytes = from.bytes;
  return record;
}

std::string_view overhead_name(CUpti_ActivityOverheadKind kind) {
  if (kind == CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER) return "driver compiler";
  if (kind == CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH) return "Buffer Flush";
  if (kind == CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION) return "instrumentation";
  if (kind == CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE) return "resource";
  if (kind == CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING) return "module loading";
  if (kind == CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING) return "lazy function loading";
  if (kind == CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL) return "command buffer full";
  if (kind == CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST) return "buffer request";
  return "other";
}

DeviceRecord graph_launch(const CUpti_Activity& activity) {
  const auto from = copy_of<CUpti_ActivityGraphTrace2>(activity);
  DeviceRecord record = common(from, ActivityKind::graph);
  record.name = "graph launch";
  record.graph = from.graphId;
  return record;
}

}  // namespace

std::optional<OverheadRecord> overhead_record_of(const CUpti_Activity& activity) {
  if (activity.kind != CUPTI_ACTIVITY_KIND_OVERHEAD) return std::nullopt;
  const auto from = copy_of<CUpti_ActivityOverhead3>(activity);
  std::free(from.overheadData);  // the receiver's, says CUPTI
  return OverheadRecord{overhead_name(from.overheadKind), static_cast<std::int64_t>(from.start),
                        static_cast<std::int64_t>(from.end)};
}

std::optional<DeviceRecord> device_record_of(const CUpti_Activity& activity, KernelNames& names) {
  // The driver's list of kinds has dozens; these are the ones that are asked for.
  if (activity.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) return kernel(activity, names);
  if (activity.kind == CUPTI_ACTIVITY_KIND_MEMCPY) return copy(activity);
  if (activity.kind == CUPTI_ACTIVITY_KIND_MEMSET) return fill(activity);
  if (activity.kind == CUPTI_ACTIVITY_KIND_GRAPH_TRACE) return graph_launch(activity);
  return std::nullopt;
}

}  // namespace quintet
