#include "profiler/report/device_json.h"

#include <cmath>

namespace quintet {

namespace {

MetricState state_of(DeviceWorkRecord record) {
  switch (record) {
    case DeviceWorkRecord::absent:
      return MetricState::absent;
    case DeviceWorkRecord::nodes:
      return MetricState::known;
    case DeviceWorkRecord::mixed:
    case DeviceWorkRecord::graphs_only:
    case DeviceWorkRecord::missing:
    case DeviceWorkRecord::unrelated:
    case DeviceWorkRecord::unrecognised:
      return MetricState::unknown;
  }
  return MetricState::unknown;
}

/// What was counted counts also where more happened than was recorded; times do not.
void add_numbers(OrderedJson& json, const DeviceSummary& device, DeviceWorkRecord record) {
  const bool some = device.timed.total() + device.untimed.total() > 0;
  const bool counted = record == DeviceWorkRecord::nodes || record == DeviceWorkRecord::mixed ||
                       record == DeviceWorkRecord::unrelated ||
                       (record == DeviceWorkRecord::unrecognised && some);
  const auto number = [](bool told, std::int64_t value) {
    return told ? OrderedJson(value) : OrderedJson();
  };
  const bool timed = record == DeviceWorkRecord::nodes && device.timed.total() > 0;
  json["kernels"] = number(counted, device.timed.kernels);
  json["memcpys"] = number(counted, device.timed.memcpys);
  json["memsets"] = number(counted, device.timed.memsets);
  json["untimed"] = number(counted, device.untimed.total());
  json["first_begin_ns"] = number(timed, device.first_begin_ns);
  json["span_ns"] = number(timed, device.span_ns());
  json["busy_ns"] = number(timed, device.busy_ns);
  json["sum_ns"] = number(timed, device.sum_ns);
  json["most_at_once"] = number(timed, static_cast<std::int64_t>(device.most_at_once));
  json["graph_launches"] = device.graph_launches;
  json["open_graph_launches"] = device.open_graph_launches;
  const bool bounded = device.graph_launches > 0 && device.open_graph_launches == 0 &&
                       record != DeviceWorkRecord::unrecognised;
  json["graph_busy_ns"] = number(bounded, device.graph_busy_ns);
}

OrderedJson launch_json(const std::optional<LaunchShape>& launch) {
  if (!launch) return nullptr;
  OrderedJson json;
  json["grid"] = launch->grid;
  json["block"] = launch->block;
  json["registers"] = launch->registers;
  json["static_shared_bytes"] = launch->static_shared_bytes;
  json["dynamic_shared_bytes"] = launch->dynamic_shared_bytes;
  json["occupancy"] = launch->occupancy ? number_or_null(*launch->occupancy) : OrderedJson();
  return json;
}

}  // namespace

OrderedJson kernels_json(const std::vector<ReportKernel>& kernels) {
  OrderedJson json = OrderedJson::array();
  for (const ReportKernel& kernel : kernels) {
    OrderedJson row;
    row["name"] = kernel.name;
    row["count"] = number_or_null(kernel.count);
    row["time_ns"] = std::llround(kernel.time_ns);
    row["mean_ns"] = std::llround(kernel.mean_ns);
    row["share"] = number_or_null(kernel.share);
    row["shapes"] = kernel.shapes;
    row["launch"] = launch_json(kernel.launch);
    json.push_back(std::move(row));
  }
  return json;
}

OrderedJson streams_json(const Report& report) {
  OrderedJson json = OrderedJson::array();
  for (const ReportStream& stream : report.device_tables.streams) {
    json.push_back({{"lane", report.lanes[stream.lane].name},
                    {"kernels", number_or_null(stream.kernels)},
                    {"memcpys", number_or_null(stream.memcpys)},
                    {"memsets", number_or_null(stream.memsets)},
                    {"busy_ns", std::llround(stream.busy_ns)}});
  }
  return json;
}

OrderedJson device_json(const DeviceWork& work, RecordingState state) {
  OrderedJson json;
  json["state"] = name_of(state_of(work.record));
  if (work.record != DeviceWorkRecord::nodes) json["reason"] = reason_of(work.record);
  json["incomplete"] = state != RecordingState::complete;
  add_numbers(json, work.all, work.record);
  json["devices"] = OrderedJson::array();
  for (const DeviceSummary& device : work.devices) {
    OrderedJson row;
    row["rank"] = device.rank;
    row["device"] = device.device;
    add_numbers(row, device, work.record);
    json["devices"].push_back(std::move(row));
  }
  return json;
}

}  // namespace quintet
