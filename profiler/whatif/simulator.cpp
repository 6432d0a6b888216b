#include "profiler/whatif/simulator.h"

#include <algorithm>
#include <limits>

namespace quintet {

namespace {

constexpr SimIndex kNone = std::numeric_limits<SimIndex>::max();
/// Less work than this, in ns, is rounding.
constexpr double kSliver = 1e-6;

/// Whether the order of the queues leaves anything for the edge to say.
bool binds(const SimGraph& graph, const SimEdge& edge) {
  const std::uint16_t queue = graph.nodes[edge.from].queue;
  return queue == kNoQueue || queue != graph.nodes[edge.to].queue;
}

bool contends(const SimNode& node) {
  return node.sm_share > 0 || node.bandwidth_share > 0;
}

}  // namespace

void Simulator::prepare(const SimGraph& graph) {
  const std::size_t count = graph.nodes.size();
  now_ns_ = 0;
  next_in_queue_.assign(count, kNone);
  missing_.assign(count, 0);
  ready_ns_.assign(count, 0);
  last_in_queue_.clear();
  running_.clear();
  pending_.clear();
  for (const SimIndex node : graph.order) {
    const std::uint16_t queue = graph.nodes[node].queue;
    if (queue == kNoQueue) continue;
    if (queue >= last_in_queue_.size()) last_in_queue_.resize(queue + 1U, kNone);
    SimIndex& last = last_in_queue_[queue];
    if (last != kNone) {
      next_in_queue_[last] = node;
      ++missing_[node];
    }
    last = node;
  }
  for (const SimEdge& edge : graph.edges) {
    if (binds(graph, edge)) ++missing_[edge.to];
  }
  for (const SimIndex node : graph.order) {
    if (missing_[node] == 0) pending_.push_back({node, 0});
  }
}

void Simulator::arrive(SimIndex node, double ready_ns) {
  ready_ns_[node] = std::max(ready_ns_[node], ready_ns);
  if (--missing_[node] == 0) pending_.push_back({node, ready_ns_[node]});
}

void Simulator::release(const SimGraph& graph, SimIndex node) {
  ready_ns_[node] = now_ns_;
  const SimIndex next = next_in_queue_[node];
  if (next != kNone) arrive(next, now_ns_ + static_cast<double>(graph.nodes[next].queue_gap_ns));
  for (SimIndex at = graph.first_edge[node]; at < graph.first_edge[node + 1]; ++at) {
    const SimEdge& edge = graph.edges[at];
    if (binds(graph, edge)) arrive(edge.to, now_ns_ + static_cast<double>(edge.gap_ns));
  }
}

double Simulator::next_change() const {
  double next = std::numeric_limits<double>::infinity();
  for (const Pending& each : pending_)
    next = std::min(next, each.begin_ns);
  for (const Running& each : running_)
    next = std::min(next, now_ns_ + each.left_ns * each.slowdown);
  return std::max(next, now_ns_);
}

void Simulator::finish_due(double passed_ns) {
  done_.clear();
  std::size_t kept = 0;
  for (const Running& each : running_) {
    const double left = each.left_ns - passed_ns / each.slowdown;
    if (left <= kSliver) {
      done_.push_back(each.node);
    } else {
      running_[kept++] = {each.node, left, each.slowdown};
    }
  }
  running_.resize(kept);
}

void Simulator::begin_due(const SimGraph& graph, SimTimes* times) {
  std::size_t kept = 0;
  for (const Pending& each : pending_) {
    if (each.begin_ns > now_ns_) {
      pending_[kept++] = each;
      continue;
    }
    if (times != nullptr) times->begin_ns[each.node] = now_ns_;
    running_.push_back({each.node, graph.nodes[each.node].work_ns, 1});
  }
  pending_.resize(kept);
}

void Simulator::set_slowdowns(const SimGraph& graph) {
  double sm = 0;
  double bandwidth = 0;
  std::size_t contenders = 0;
  for (const Running& each : running_) {
    const SimNode& node = graph.nodes[each.node];
    contenders += contends(node) ? 1 : 0;
    sm += static_cast<double>(node.sm_share);
    bandwidth += static_cast<double>(node.bandwidth_share);
  }
  const double slowdown = contenders < 2 ? 1
                                         : std::max({1.0, sm / contention_.sm_capacity,
                                                     bandwidth / contention_.bandwidth_capacity});
  for (Running& each : running_)
    each.slowdown = contends(graph.nodes[each.node]) ? slowdown : 1;
}

SimResult Simulator::run(const SimGraph& graph, SimTimes* times) {
  const std::size_t count = graph.nodes.size();
  prepare(graph);
  if (times != nullptr) {
    times->begin_ns.assign(count, 0);
    times->end_ns.assign(count, 0);
  }
  std::size_t finished = 0;
  while (!running_.empty() || !pending_.empty()) {
    const double next = next_change();
    const double passed = next - now_ns_;
    now_ns_ = next;
    finish_due(passed);
    for (const SimIndex node : done_) {
      if (times != nullptr) times->end_ns[node] = now_ns_;
      release(graph, node);
    }
    finished += done_.size();
    begin_due(graph, times);
    set_slowdowns(graph);
  }
  SimResult result;
  result.complete = finished == count;
  result.makespan_ns = now_ns_;
  result.step_ns = now_ns_ + graph.between_steps_ns;
  if (graph.step_ends.size() > 1) {
    result.step_ns =
        ready_ns_[graph.step_ends.back()] - ready_ns_[graph.step_ends[graph.step_ends.size() - 2]];
  }
  return result;
}

}  // namespace quintet
