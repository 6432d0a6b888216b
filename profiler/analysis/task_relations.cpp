#include "profiler/analysis/task_relations.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace quintet {

namespace {

constexpr const char* kFillBatch = "HOST_FILL_BATCH";

/// Lanes by name; of several of one name the first.
class LaneNames {
 public:
  explicit LaneNames(const LaneTable& lanes) {
    for (std::size_t index = 0; index < lanes.size(); ++index)
      lanes_.try_emplace(lanes[index].name, static_cast<std::uint32_t>(index));
  }
  [[nodiscard]] std::optional<LaneId> find(const std::string& name) const {
    const auto found = lanes_.find(name);
    return found == lanes_.end() ? std::nullopt : std::optional(LaneId(found->second));
  }

 private:
  std::unordered_map<std::string_view, std::uint32_t> lanes_;
};

}  // namespace

TaskRelations::TaskRelations(const Trace& trace)
    : trace_(trace), calls_(launch_calls(trace)), call_of_correlation_(calls_) {
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
  in_edge_.resize(trace.tasks.size());
  for (std::uint32_t graph = 0; graph < trace.graphs.size(); ++graph) {
    for (const std::uint32_t task : trace.graphs[graph].tasks) {
      if (task < graphs_of_task_.size()) graphs_of_task_[task].push_back(graph);
    }
    for (const TraceEdge& edge : trace.graphs[graph].edges) {
      edges_.insert(key(edge.from, edge.to));
      for (const std::uint32_t task : {edge.from, edge.to}) {
        if (task < in_edge_.size()) in_edge_[task] = true;
      }
    }
  }
  index_calls();
  index_host_waits();
  index_lane_waits();
}

void TaskRelations::index_host_waits() {
  loader_.resize(trace_.lanes.size());
  for (const TraceTask& task : trace_.tasks) {
    if (task.op_kind == kFillBatch && task.policy_lane &&
        task.policy_lane->value() < loader_.size()) {
      loader_[task.policy_lane->value()] = true;
    }
  }
  const LaneNames lanes(trace_.lanes);
  for (const TraceHostWait& wait : trace_.host_waits) {
    if (is_loader(wait.lane)) continue;
    host_waits_.push_back({{wait.begin_ns, wait.end_ns}, lanes.find(wait.target)});
  }
  std::stable_sort(host_waits_.begin(), host_waits_.end(),
                   [](const HostWait& a, const HostWait& b) { return a.time.end < b.time.end; });
}

const HostWait* TaskRelations::wait_before(const LaunchCall& call) const {
  const auto after = std::partition_point(
      host_waits_.begin(), host_waits_.end(),
      [&call](const HostWait& wait) { return wait.time.end <= call.time.begin; });
  if (after == host_waits_.begin()) return nullptr;
  const HostWait& wait = *(after - 1);
  const auto index = static_cast<std::size_t>(&call - calls_.data());
  if (index > 0 && calls_[index - 1].time.end > wait.time.end) return nullptr;
  return &wait;
}

void TaskRelations::index_calls() {
  calls_of_graph_.resize(trace_.graphs.size());
  for (std::uint32_t index = 0; index < calls_.size(); ++index) {
    const LaunchCall& call = calls_[index];
    if (call.graph < calls_of_graph_.size()) calls_of_graph_[call.graph].push_back(index);
  }
}

void TaskRelations::index_lane_waits() {
  const LaneNames lanes(trace_.lanes);
  std::unordered_map<std::string_view, std::set<std::uint32_t>> waiters;  // by event
  for (const TraceCommand& wait : trace_.commands) {
    if (wait.kind != "wait") continue;
    if (const auto lane = lanes.find(wait.stream)) waiters[wait.event].insert(lane->value());
  }
  for (const TraceCommand& record : trace_.commands) {
    if (record.kind != "record") continue;
    const auto source = lanes.find(record.stream);
    const auto found = waiters.find(record.event);
    if (!source || found == waiters.end()) continue;
    for (const std::uint32_t waiter : found->second) {
      if (waiter != source->value()) lane_waits_.insert(key(waiter, source->value()));
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

const LaunchCall* TaskRelations::launch_of(const RunInterval& run) const {
  if (const auto call = call_of_correlation_.find(run.correlation, run.time.begin)) {
    return &calls_[*call];
  }
  const LaunchCall* latest = nullptr;
  for (const std::uint32_t graph : graphs_of_task_.at(run.task)) {
    const auto& calls = calls_of_graph_[graph];
    const auto after = std::upper_bound(
        calls.begin(), calls.end(), run.time.begin,
        [this](std::int64_t time, std::uint32_t call) { return time < calls_[call].time.begin; });
    if (after == calls.begin()) continue;
    const LaunchCall& call = calls_[*(after - 1)];
    if (latest == nullptr || call.time.begin > latest->time.begin) latest = &call;
  }
  return latest;
}

}  // namespace quintet
