#include "profiler/whatif/calibration.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace quintet {

namespace {

constexpr std::string_view kSchema = "quintet.calibration";
/// 2: leaf_wait_ns. What an older version lacks is 0.
constexpr int kVersion = 2;
/// More than any constant is: a second in ns, and far more multiprocessors than a device has.
constexpr double kMostOfAConstant = 1e9;
/// Less would slow work beyond what a step time can say.
constexpr double kLeastCapacity = 0.01;

struct Constant {
  const char* name;
  double DeviceModel::*value;
  int since = 1;  ///< version
};

constexpr std::array<Constant, 23> kConstants = {{
    {"multiprocessors", &DeviceModel::multiprocessors},
    {"memory_bytes_per_ns", &DeviceModel::memory_bytes_per_ns},
    {"node_gap_ns", &DeviceModel::node_gap_ns},
    {"edge_ns", &DeviceModel::edge_ns},
    {"fan_out_ns", &DeviceModel::fan_out_ns},
    {"fan_in_ns", &DeviceModel::fan_in_ns},
    {"fill_in_ns", &DeviceModel::fill_in_ns},
    {"fill_out_ns", &DeviceModel::fill_out_ns},
    {"root_join_ns", &DeviceModel::root_join_ns},
    {"graph_ns", &DeviceModel::graph_ns},
    {"graph_root_ns", &DeviceModel::graph_root_ns},
    {"graph_leaf_ns", &DeviceModel::graph_leaf_ns},
    {"stream_wait_ns", &DeviceModel::stream_wait_ns},
    {"leaf_wait_ns", &DeviceModel::leaf_wait_ns, 2},
    {"launch_call_ns", &DeviceModel::launch_call_ns},
    {"launch_call_node_ns", &DeviceModel::launch_call_node_ns},
    {"record_call_ns", &DeviceModel::record_call_ns},
    {"wait_call_ns", &DeviceModel::wait_call_ns},
    {"host_wake_ns", &DeviceModel::host_wake_ns},
    {"launch_latency_ns", &DeviceModel::launch_latency_ns},
    {"fit_error", &DeviceModel::fit_error},
    {"worst_error", &DeviceModel::worst_error},
    {"host_sync_error", &DeviceModel::host_sync_error},
}};

struct ContentionConstant {
  const char* name;
  double ContentionModel::*value;
};

constexpr std::array<ContentionConstant, 3> kContention = {{
    {"capacity", &ContentionModel::capacity},
    {"mixed_gain", &ContentionModel::mixed_gain},
    {"least_rate", &ContentionModel::least_rate},
}};

tl::unexpected<Error> damaged(const std::string& what) {
  return fail("the calibration " + what, "calibrate again: quintet calibrate");
}

Result<double> number_of(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_number()) {
    return damaged(fmt::format("has no number '{}'", name));
  }
  const double value = found->get<double>();
  if (!std::isfinite(value) || value < 0 || value > kMostOfAConstant) {
    return damaged(fmt::format("says {} = {}", name, value));
  }
  return value;
}

Result<std::string> text_of(const nlohmann::json& json, const char* name) {
  const auto found = json.find(name);
  if (found == json.end() || !found->is_string()) {
    return damaged(fmt::format("has no text '{}'", name));
  }
  return found->get<std::string>();
}

}  // namespace

std::string calibration_text(const DeviceModel& device) {
  nlohmann::ordered_json json = {{"schema", kSchema},
                                 {"version", kVersion},
                                 {"device", device.device},
                                 {"provenance", device.provenance}};
  for (const Constant& constant : kConstants)
    json[constant.name] = device.*constant.value;
  json["sharing"] = name_of(device.contention.sharing);
  for (const ContentionConstant& constant : kContention)
    json[constant.name] = device.contention.*constant.value;
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<DeviceModel> parse_calibration(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return damaged("is no JSON object");
  const auto schema = json.find("schema");
  const auto version = json.find("version");
  const bool known = schema != json.end() && *schema == kSchema && version != json.end() &&
                     version->is_number_integer() && *version >= 1 && *version <= kVersion;
  if (!known) {
    return damaged(fmt::format("is not of schema {} version 1 to {}", kSchema, kVersion));
  }
  DeviceModel device;
  for (const auto& [name, target] :
       {std::pair{"device", &device.device}, std::pair{"provenance", &device.provenance}}) {
    auto value = text_of(json, name);
    if (!value) return tl::unexpected(value.error());
    *target = std::move(*value);
  }
  for (const Constant& constant : kConstants) {
    if (*version < constant.since) continue;
    const auto value = number_of(json, constant.name);
    if (!value) return tl::unexpected(value.error());
    device.*constant.value = *value;
  }
  for (const ContentionConstant& constant : kContention) {
    const auto value = number_of(json, constant.name);
    if (!value) return tl::unexpected(value.error());
    device.contention.*constant.value = *value;
  }
  if (device.multiprocessors < 1) return damaged("says less than one multiprocessor");
  if (device.contention.capacity < kLeastCapacity) {
    return damaged(fmt::format("says capacity = {}", device.contention.capacity));
  }
  if (device.contention.least_rate > 1) {
    return damaged(fmt::format("says least_rate = {}", device.contention.least_rate));
  }
  const auto sharing = text_of(json, "sharing");
  if (!sharing) return tl::unexpected(sharing.error());
  const bool fair = *sharing == name_of(Sharing::fair);
  if (!fair && *sharing != name_of(Sharing::first_come)) {
    return damaged("says sharing = '" + *sharing + "'");
  }
  device.contention.sharing = fair ? Sharing::fair : Sharing::first_come;
  return device;
}

}  // namespace quintet
