#include "profiler/report/trace_flows.h"

#include <algorithm>
#include <set>
#include <utility>

namespace quintet {

namespace {

constexpr std::int32_t kNoStep = -1;
/// The bit of a call that does not know its lanes: whatever comes first.
constexpr std::uint64_t kAnyLane = 63;

/// Spreads what is counted over 64 bits, so that ids of different arrows do not meet.
constexpr std::uint64_t spread(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15ULL;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ULL;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBULL;
  return value ^ (value >> 31);
}

constexpr std::uint64_t flow_id(std::uint64_t family, std::uint64_t a, std::uint64_t b) {
  return spread(spread(spread(family) ^ a) ^ b);
}

/// Lanes beyond the 63rd share a bit.
constexpr std::uint64_t bit_of(std::uint32_t lane) {
  return std::min<std::uint64_t>(lane, kAnyLane - 1);
}

}  // namespace

TraceFlows::TraceFlows(const Trace& trace) : trace_(trace) {
  read_edges();
  if (!out_.empty()) find_run_ends();
  read_launch_lanes();
  find_early_work();
}

void TraceFlows::find_early_work() {
  const bool any =
      std::any_of(trace_.findings.begin(), trace_.findings.end(),
                  [](const Finding& finding) { return finding.name == "negative_launch_latency"; });
  if (!any) return;
  const SpanColumns& spans = trace_.spans;
  const auto is_call = [&](std::size_t span) {
    const std::uint32_t activity = spans.activity[span];
    return activity != kWholeTask && trace_.activities[activity].kind == ActivityKind::api_call;
  };
  const auto key_of = [&](std::size_t span) {
    const auto rank = static_cast<std::uint32_t>(trace_.lanes[spans.lane[span]].rank);
    return std::uint64_t{rank} << 32 | spans.correlation[span];
  };
  std::unordered_map<std::uint64_t, std::int64_t> begins;
  for (std::size_t span = 0; span < spans.size(); ++span) {
    if (spans.correlation[span] == 0 || !is_call(span)) continue;
    const auto begin = begins.try_emplace(key_of(span), spans.begin_ns[span]).first;
    begin->second = std::min(begin->second, spans.begin_ns[span]);
  }
  for (std::size_t span = 0; span < spans.size(); ++span) {
    if (spans.correlation[span] == 0 || is_call(span)) continue;
    const auto call = begins.find(key_of(span));
    if (call != begins.end() && spans.begin_ns[span] < call->second) early_[call->first] = false;
  }
}

void TraceFlows::read_edges() {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const TraceGraph& graph : trace_.graphs) {
    for (const TraceEdge& edge : graph.edges)
      edges.insert({edge.from, edge.to});
  }
  if (edges.empty()) return;
  out_.resize(trace_.tasks.size());
  in_.resize(trace_.tasks.size());
  open_edges_.assign(edges.size(), kNoStep);
  std::uint64_t id = 0;
  for (const auto& [from, to] : edges) {
    out_[from].push_back(id);
    in_[to].push_back(id);
    ++id;
  }
}

void TraceFlows::find_run_ends() {
  const SpanColumns& spans = trace_.spans;
  first_.resize(spans.size());
  last_.resize(spans.size());
  struct Run {
    std::int32_t step = kNoStep;
    std::size_t last = 0;
  };
  std::vector<Run> runs(trace_.tasks.size());
  SliceStream slices(trace_);
  while (const auto slice = slices.next()) {
    if (slice->kind != SliceKind::span) continue;
    Run& run = runs[spans.task[slice->index]];
    const std::int32_t step = spans.step[slice->index];
    if (step != run.step) {
      if (run.step != kNoStep) last_[run.last] = true;
      first_[slice->index] = step != kNoStep;
    }
    run = {step, slice->index};
  }
  for (const Run& run : runs) {
    if (run.step != kNoStep) last_[run.last] = true;
  }
}

void TraceFlows::read_launch_lanes() {
  for (const TraceGraph& graph : trace_.graphs) {
    std::uint64_t lanes = 0;
    for (const std::uint32_t task : graph.tasks) {
      const auto& lane = trace_.tasks[task].policy_lane;
      if (lane) lanes |= std::uint64_t{1} << bit_of(lane->value());
    }
    launch_lanes_.push_back(lanes == 0 ? std::uint64_t{1} << kAnyLane : lanes);
  }
}

const FlowEnds& TraceFlows::at(const Slice& slice) {
  found_.begins.clear();
  found_.ends.clear();
  if (slice.kind == SliceKind::launch) {
    const TraceLaunch& launch = trace_.launches[slice.index];
    open_call(static_cast<std::uint16_t>(launch.lane.value()), launch.correlation,
              launch_lanes_[launch.graph]);
  } else if (slice.kind == SliceKind::span) {
    if (!out_.empty()) join_tasks(slice.index);
    join_launched(slice.index);
  }
  return found_;
}

void TraceFlows::join_tasks(std::size_t span) {
  const std::uint32_t task = trace_.spans.task[span];
  const std::int32_t step = trace_.spans.step[span];
  const auto at_step = static_cast<std::uint64_t>(step);
  if (first_[span]) {
    for (const std::uint64_t edge : in_[task]) {
      if (open_edges_[edge] != step) continue;
      open_edges_[edge] = kNoStep;
      found_.ends.push_back(flow_id(1, edge, at_step));
    }
  }
  if (last_[span]) {
    for (const std::uint64_t edge : out_[task]) {
      if (open_edges_[edge] == step) continue;
      open_edges_[edge] = step;
      found_.begins.push_back(flow_id(1, edge, at_step));
    }
  }
}

void TraceFlows::join_launched(std::size_t span) {
  const SpanColumns& spans = trace_.spans;
  const std::uint32_t correlation = spans.correlation[span];
  if (correlation == 0) return;
  const std::uint32_t activity = spans.activity[span];
  const bool known = activity != kWholeTask;
  const ActivityKind kind = known ? trace_.activities[activity].kind : ActivityKind::kernel;
  if (kind == ActivityKind::host_range) return;
  const auto rank = static_cast<std::uint32_t>(trace_.lanes[spans.lane[span]].rank);
  const std::uint64_t key = std::uint64_t{rank} << 32 | correlation;
  if (const auto early = early_.find(key); early != early_.end()) {
    if (kind == ActivityKind::api_call) {
      found_.ends.push_back(flow_id(3, key, 0));
      early_.erase(early);
    } else if (!std::exchange(early->second, true)) {
      found_.begins.push_back(flow_id(3, key, 0));
    }
    return;
  }
  if (kind == ActivityKind::api_call) {
    open_call(spans.lane[span], correlation, std::uint64_t{1} << kAnyLane);
    return;
  }
  const auto call = open_calls_.find(key);
  if (call == open_calls_.end()) return;
  for (const std::uint64_t bit : {bit_of(spans.lane[span]), kAnyLane}) {
    if ((call->second >> bit & 1) == 0) continue;
    found_.ends.push_back(flow_id(2, key, bit));
    call->second &= ~(std::uint64_t{1} << bit);
    break;
  }
  if (call->second == 0) open_calls_.erase(call);
}

void TraceFlows::open_call(std::uint16_t lane, std::uint32_t correlation, std::uint64_t lanes) {
  if (correlation == 0) return;
  const auto rank = static_cast<std::uint32_t>(trace_.lanes[lane].rank);
  const std::uint64_t key = std::uint64_t{rank} << 32 | correlation;
  // A launch and the driver's call beneath it may both be recorded: the first one has the arrows.
  if (!open_calls_.emplace(key, lanes).second) return;
  for (std::uint64_t bit = 0; bit <= kAnyLane; ++bit)
    if ((lanes >> bit & 1) != 0) found_.begins.push_back(flow_id(2, key, bit));
}

}  // namespace quintet
