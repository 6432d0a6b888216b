#include "profiler/capture/trace_declarations.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <utility>

namespace quintet {

namespace {

/// Spans hold lanes in 16 bits, and those on which the driver runs work come on top.
constexpr std::size_t kMostLanes = 1 << 15;

Accepted<void> check_id(const char* what, std::uint32_t id, std::size_t count) {
  if (id < count) return {};
  return refuse(RefusalKind::unknown_id,
                fmt::format("there is no {} {}: {} are declared", what, id, count),
                fmt::format("pass the id that declaring the {} gave", what));
}

/// Names are what reports show: each must be there, and be one thing's.
Accepted<void> take_name(const char* what, const std::string& name, std::set<std::string>& names) {
  if (name.empty())
    return refuse(RefusalKind::argument, fmt::format("a {} has no name", what), "give it one");
  if (!names.insert(name).second) {
    return refuse(RefusalKind::argument, fmt::format("two {}s are named \"{}\"", what, name),
                  "give each a name of its own");
  }
  return {};
}

std::uint32_t id_of_last(std::size_t count) {
  return static_cast<std::uint32_t>(count - 1);
}

/// One past the last byte touched; nothing where that is no 64-bit number.
std::optional<std::uint64_t> end_of(const Access& access) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t gaps = access.count - 1;
  if (gaps != 0 && access.stride > kMost / gaps) return std::nullopt;
  const std::uint64_t span = gaps * access.stride;
  if (access.bytes > kMost - span || access.offset > kMost - span - access.bytes)
    return std::nullopt;
  return access.offset + span + access.bytes;
}

}  // namespace

Accepted<void> TraceDeclarations::check_lane(std::uint32_t id) const {
  return check_id("lane", id, trace_.lanes.size());
}

Accepted<void> TraceDeclarations::check_task(std::uint32_t id) const {
  return check_id("task", id, trace_.tasks.size());
}

Accepted<void> TraceDeclarations::check_graph(std::uint32_t id) const {
  return check_id("graph", id, trace_.graphs.size());
}

Accepted<std::uint32_t> TraceDeclarations::add_lane(Lane lane) {
  if (lane.kind == LaneKind::executor) {
    return refuse(
        RefusalKind::argument,
        fmt::format("lane \"{}\" is of the kind that the recorder makes itself", lane.name),
        "declare a stream or a host thread");
  }
  if (trace_.lanes.size() >= kMostLanes) {
    return refuse(RefusalKind::argument, fmt::format("more than {} lanes", kMostLanes),
                  "declare a lane for each stream and thread, not for each task");
  }
  if (auto named = take_name("lane", lane.name, lane_names_); !named)
    return tl::unexpected(named.error());
  lane.id = LaneId(static_cast<std::uint32_t>(trace_.lanes.size()));
  trace_.lanes.push_back(std::move(lane));
  return id_of_last(trace_.lanes.size());
}

Accepted<std::uint32_t> TraceDeclarations::add_region(const std::string& name, MemorySpace space,
                                                      int device, std::uint64_t bytes) {
  if (bytes == 0 || bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return refuse(RefusalKind::argument, fmt::format("region \"{}\" has {} bytes", name, bytes),
                  "give its size in bytes");
  }
  if (auto named = take_name("region", name, region_names_); !named)
    return tl::unexpected(named.error());
  const RegionId id(static_cast<std::uint32_t>(trace_.regions.size()));
  const RegionKind kind =
      space == MemorySpace::host ? RegionKind::HOST_MEMORY : RegionKind::DEVICE_MEMORY;
  trace_.regions.push_back({id, kind, std::nullopt, bytes, device});
  trace_.tensors.push_back({name, std::to_string(bytes), "byte", "any", id, 0, bytes});
  return id.value();
}

Accepted<std::uint32_t> TraceDeclarations::add_task(TraceTask task) {
  if (task.policy_lane) {
    if (auto known = check_lane(task.policy_lane->value()); !known)
      return tl::unexpected(known.error());
  }
  const auto is_amount = [](double value) { return std::isfinite(value) && value >= 0; };
  if (!is_amount(task.flops) || !is_amount(task.bytes)) {
    return refuse(
        RefusalKind::argument,
        fmt::format("task \"{}\" moves or computes a number that is no amount", task.name),
        "give flops and bytes, or 0 where they are unknown");
  }
  if (auto named = take_name("task", task.name, task_names_); !named)
    return tl::unexpected(named.error());
  trace_.tasks.push_back(std::move(task));
  return id_of_last(trace_.tasks.size());
}

Accepted<void> TraceDeclarations::add_access(std::uint32_t task, Access access) {
  if (auto known = check_task(task); !known) return known;
  if (auto known = check_id("region", access.region.value(), trace_.regions.size()); !known)
    return known;
  const Region& region = trace_.regions[access.region.value()];
  if (access.count == 0 || access.bytes == 0) {
    return refuse(RefusalKind::argument, "an access touches no byte",
                  "give the bytes of a piece and how many pieces");
  }
  const std::optional<std::uint64_t> end = end_of(access);
  if (!end || *end > region.bytes) {
    return refuse(RefusalKind::argument,
                  fmt::format("an access of task \"{}\" ends outside region \"{}\" of {} bytes",
                              trace_.tasks[task].name, trace_.tensors[access.region.value()].name,
                              region.bytes),
                  "give offset, bytes, stride and count in bytes from the region's begin");
  }
  access.space = region.space();
  access.device = region.device;
  trace_.tasks[task].accesses.push_back(access);
  return {};
}

Accepted<std::uint32_t> TraceDeclarations::add_graph(const std::string& name, std::uint32_t lane) {
  if (auto known = check_lane(lane); !known) return tl::unexpected(known.error());
  if (auto named = take_name("graph", name, graph_names_); !named)
    return tl::unexpected(named.error());
  TraceGraph graph;
  graph.name = name;
  graph.primary = LaneId(lane);
  trace_.graphs.push_back(std::move(graph));
  return id_of_last(trace_.graphs.size());
}

Accepted<void> TraceDeclarations::add_edge(std::uint32_t graph, std::uint32_t from,
                                           std::uint32_t to, const std::string& reason) {
  if (auto known = check_graph(graph); !known) return known;
  for (const std::uint32_t task : {from, to}) {
    if (auto known = check_task(task); !known) return known;
  }
  if (from == to) {
    return refuse(RefusalKind::argument,
                  fmt::format("task \"{}\" waits for itself", trace_.tasks[from].name),
                  "give the task that is waited for and the one that waits");
  }
  trace_.graphs[graph].edges.push_back({from, to, "manual", reason});
  return {};
}

void TraceDeclarations::begin_capture(std::uint32_t graph) {
  trace_.graphs[graph].tasks.clear();
}

void TraceDeclarations::captured(std::uint32_t graph, std::uint32_t task) {
  std::vector<std::uint32_t>& tasks = trace_.graphs[graph].tasks;
  if (std::find(tasks.begin(), tasks.end(), task) != tasks.end()) return;
  tasks.push_back(task);
  if (trace_.tasks[task].graph.empty()) trace_.tasks[task].graph = trace_.graphs[graph].name;
}

}  // namespace quintet
