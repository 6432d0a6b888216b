#include "profiler/wire/activity_json.h"

#include <array>
#include <limits>

namespace quintet {

namespace {

constexpr std::array kActivityKinds = {ActivityKind::kernel,     ActivityKind::memcpy,
                                       ActivityKind::memset,     ActivityKind::graph,
                                       ActivityKind::host_range, ActivityKind::api_call};
static_assert(kActivityKinds.size() == kActivityKindCount);

WireJson launch_json(const LaunchShape& launch) {
  return {{"grid", launch.grid},
          {"block", launch.block},
          {"registers", launch.registers},
          {"static_shared_bytes", launch.static_shared_bytes},
          {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
          {"occupancy", finite_or_null(launch.occupancy)}};
}

std::array<std::uint32_t, 3> read_sizes(FieldReader& reader, const char* key) {
  std::array<std::uint32_t, 3> sizes{};
  const WireJson* list = reader.find(key);
  if (list == nullptr || !list->is_array() || list->size() != sizes.size()) {
    reader.refuse(key, "is no array of three");
    return sizes;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const WireJson& value = (*list)[i];
    if (!value.is_number_unsigned() ||
        value.get<std::uint64_t>() > std::numeric_limits<std::uint32_t>::max()) {
      reader.refuse(key, "holds what is no number of 32 bits");
      return sizes;
    }
    sizes.at(i) = value.get<std::uint32_t>();
  }
  return sizes;
}

LaunchShape read_launch(FieldReader& reader) {
  LaunchShape launch;
  launch.grid = read_sizes(reader, "grid");
  launch.block = read_sizes(reader, "block");
  launch.registers = reader.small<std::uint32_t>("registers");
  launch.static_shared_bytes = reader.size("static_shared_bytes");
  launch.dynamic_shared_bytes = reader.size("dynamic_shared_bytes");
  launch.occupancy = reader.optional_real("occupancy");
  return launch;
}

}  // namespace

WireJson activities_json(const std::vector<TraceActivity>& activities) {
  WireJson list = WireJson::array();
  for (const TraceActivity& activity : activities) {
    list.push_back({{"kind", name_of(activity.kind)},
                    {"name", activity.name},
                    {"graph_node", or_null(activity.graph_node)},
                    {"captured_node", or_null(activity.captured_node)},
                    {"launch", activity.launch ? launch_json(*activity.launch) : WireJson()},
                    {"bytes", or_null(activity.bytes)}});
  }
  return list;
}

std::vector<TraceActivity> read_activities(FieldReader& reader, const char* key) {
  std::vector<TraceActivity> activities;
  reader.objects(key, [&](FieldReader& row) {
    TraceActivity activity;
    activity.kind = row.word("kind", kActivityKinds);
    activity.name = row.text("name");
    activity.graph_node = row.optional_size("graph_node");
    activity.captured_node = row.optional_size("captured_node");
    if (row.find("launch") != nullptr) {
      row.object("launch", [&](FieldReader& launch) { activity.launch = read_launch(launch); });
    }
    activity.bytes = row.optional_size("bytes");
    activities.push_back(std::move(activity));
  });
  return activities;
}

}  // namespace quintet
