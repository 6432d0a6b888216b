#include "profiler/analysis/task_relations.h"

#include <algorithm>

namespace quintet {

namespace {

std::optional<LaneId> lane_named(const LaneTable& lanes, const std::string& name) {
  for (std::size_t index = 0; index < lanes.size(); ++index) {
    if (lanes[index].name == name) return LaneId(static_cast<std::uint32_t>(index));
  }
  return std::nullopt;
}

}  // namespace

TaskRelations::TaskRelations(const Trace& trace) : trace_(trace) {
  footprints_.reserve(trace.tasks.size());
  for (const TraceTask& task : trace.tasks) {
    Footprint footprint;
    for (const Access& access : task.accesses) {
      const std::uint64_t bit = std::uint64_t{1} << (access.region.value() % 64);
      footprint.touched |= bit;
      if (writes(access.mode)) footprint.written |= bit;
    }
    footprints_.push_back(footprint);
  }
  graphs_of_task_.resize(trace.tasks.size());
  launches_of_graph_.resize(trace.graphs.size());
  for (std::uint32_t graph = 0; graph < trace.graphs.size(); ++graph) {
    for (const std::uint32_t task : trace.graphs[graph].tasks) {
      if (task < graphs_of_task_.size()) graphs_of_task_[task].push_back(graph);
    }
    for (const TraceEdge& edge : trace.graphs[graph].edges)
      edges_.insert(key(edge.from, edge.to));
  }
  for (const TraceLaunch& launch : trace.launches) {
    if (launch.graph < launches_of_graph_.size()) {
      launches_of_graph_[launch.graph].push_back(&launch);
    }
  }
  for (auto& launches : launches_of_graph_) {
    std::stable_sort(
        launches.begin(), launches.end(),
        [](const TraceLaunch* a, const TraceLaunch* b) { return a->begin_ns < b->begin_ns; });
  }
  index_lane_waits();
}

void TaskRelations::index_lane_waits() {
  for (const TraceCommand& record : trace_.commands) {
    if (record.kind != "record") continue;
    const auto source = lane_named(trace_.lanes, record.stream);
    if (!source) continue;
    for (const TraceCommand& wait : trace_.commands) {
      if (wait.kind != "wait" || wait.event != record.event) continue;
      const auto waiter = lane_named(trace_.lanes, wait.stream);
      if (waiter && *waiter != *source) lane_waits_.insert(key(waiter->value(), source->value()));
    }
  }
}

std::uint8_t TaskRelations::answer(std::uint32_t a, std::uint32_t b) {
  const Footprint& x = footprints_.at(a);
  const Footprint& y = footprints_.at(b);
  if (((x.written & y.touched) | (x.touched & y.written)) == 0) return 0;
  const auto [known, fresh] = answers_.try_emplace(key(std::min(a, b), std::max(a, b)), 0);
  if (!fresh) return known->second;
  std::uint8_t found = 0;
  for (const Access& first : trace_.tasks[a].accesses) {
    for (const Access& second : trace_.tasks[b].accesses) {
      if (found == (kAny | kData)) break;
      if (!quintet::conflict(first, second)) continue;
      const bool scratch = first.mode == AccessMode::scratch && second.mode == AccessMode::scratch;
      found |= scratch ? kAny : (kAny | kData);
    }
  }
  known->second = found;
  return found;
}

const TraceLaunch* TaskRelations::launch_of(std::uint32_t task, std::int64_t begin_ns) const {
  const TraceLaunch* latest = nullptr;
  for (const std::uint32_t graph : graphs_of_task_.at(task)) {
    const auto& launches = launches_of_graph_[graph];
    const auto after = std::upper_bound(
        launches.begin(), launches.end(), begin_ns,
        [](std::int64_t time, const TraceLaunch* launch) { return time < launch->begin_ns; });
    if (after == launches.begin()) continue;
    const TraceLaunch* launch = *(after - 1);
    if (latest == nullptr || launch->begin_ns > latest->begin_ns) latest = launch;
  }
  return latest;
}

}  // namespace quintet
