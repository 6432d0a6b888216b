#include "profiler/whatif/simulator.h"

#include <algorithm>
#include <limits>

namespace quintet {

namespace {

constexpr SimIndex kNone = std::numeric_limits<SimIndex>::max();
/// Less work than this, in ns, is rounding.
constexpr double kSliver = 1e-6;
constexpr double kNever = std::numeric_limits<double>::infinity();
/// What begins so soon after another begins with it: then the more urgent is served first, and of
/// equals what was issued first. In ns; recordings of an H200 show it of a layer's two gradients.
constexpr double kTogether = 1500;
/// A task that has blocks for at most this share of the multiprocessors finds room on them whatever
/// else runs: they hold more than the blocks of one kernel.
constexpr double kFewBlocks = 0.05;

/// Whether the order of the queues leaves anything for the edge to say.
bool binds(const SimGraph& graph, const SimEdge& edge) {
  const std::uint16_t queue = graph.nodes[edge.from].queue;
  return queue == kNoQueue || queue != graph.nodes[edge.to].queue;
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
  place_.resize(count);
  std::uint32_t place = 0;
  for (const SimIndex node : graph.order) {
    place_[node] = place++;
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
  double next = kNever;
  for (const Pending& each : pending_)
    next = std::min(next, each.begin_ns);
  for (const Running& each : running_) {
    next = std::min(next, each.passes_ns);
    if (each.left_ns <= kSliver) {
      next = now_ns_;
    } else if (each.rate > 0) {
      next = std::min(next, now_ns_ + each.left_ns / each.rate);
    }
  }
  return std::max(next, now_ns_);
}

void Simulator::finish_due(double passed_ns) {
  done_.clear();
  std::size_t kept = 0;
  for (Running& each : running_) {
    each.left_ns -= passed_ns * each.rate;
    each.served = each.served || (passed_ns > 0 && each.rate > contention_.least_rate);
    if (each.left_ns <= kSliver) {
      done_.push_back(each.node);
    } else {
      running_[kept++] = each;
    }
  }
  running_.resize(kept);
}

bool Simulator::begin_due(const SimGraph& graph, SimTimes* times) {
  const std::size_t before = running_.size();
  std::size_t kept = 0;
  for (const Pending& each : pending_) {
    if (each.begin_ns > now_ns_) {
      pending_[kept++] = each;
      continue;
    }
    if (times != nullptr) times->begin_ns[each.node] = now_ns_;
    admit(graph.nodes[each.node], each.node);
  }
  pending_.resize(kept);
  return running_.size() != before;
}

/// Behind what holds the device, but for what began with it, and before what is less urgent and still
/// waits for room. More urgent than some that hold it, it goes ahead once their blocks have ended:
/// those that run have half of their time left, on the mean.
void Simulator::admit(const SimNode& node, SimIndex index) {
  Running begun;
  begun.node = index;
  begun.sm_share = node.sm_share;
  begun.bandwidth_share = node.bandwidth_share;
  begun.block_ns = node.block_ns;
  begun.priority = node.priority;
  begun.begin_ns = now_ns_;
  begun.passes_ns = kNever;
  begun.left_ns = node.work_ns;
  const auto goes_before = [&](const Running& other) {
    const bool more_urgent = begun.priority < other.priority;
    if (more_urgent && !other.served) return true;
    if (other.begin_ns < now_ns_ - kTogether) return false;
    return more_urgent || (begun.priority == other.priority && place_[index] < place_[other.node]);
  };
  std::size_t at = running_.size();
  while (at > 0 && goes_before(running_[at - 1]))
    --at;
  double hold_ns = -1;
  for (std::size_t ahead = 0; ahead < at; ++ahead) {
    const Running& other = running_[ahead];
    if (other.priority > begun.priority && other.sm_share > 0)
      hold_ns = std::max(hold_ns, static_cast<double>(other.block_ns));
  }
  if (hold_ns >= 0) begun.passes_ns = now_ns_ + hold_ns / 2;
  running_.insert(running_.begin() + static_cast<std::ptrdiff_t>(at), begun);
}

bool Simulator::pass_due() {
  bool passed = false;
  for (std::size_t at = 0; at < running_.size(); ++at) {
    if (running_[at].passes_ns > now_ns_) continue;
    running_[at].passes_ns = kNever;
    const auto passing = running_.begin() + static_cast<std::ptrdiff_t>(at);
    const auto less_urgent = std::find_if(running_.begin(), passing, [&](const Running& other) {
      return other.priority > passing->priority;
    });
    std::rotate(less_urgent, passing, passing + 1);
    passed = true;
  }
  return passed;
}

void Simulator::set_rates() {
  double least_bandwidth = 1;
  double most_bandwidth = 0;
  std::size_t contenders = 0;
  for (Running& each : running_) {
    each.rate = 1;
    if (each.sm_share <= 0) continue;
    ++contenders;
    least_bandwidth = std::min(least_bandwidth, static_cast<double>(each.bandwidth_share));
    most_bandwidth = std::max(most_bandwidth, static_cast<double>(each.bandwidth_share));
  }
  if (contenders < 2) return;
  const double capacity =
      contention_.capacity + contention_.mixed_gain * (most_bandwidth - least_bandwidth);
  const bool fair = contention_.sharing == Sharing::fair;
  double left = 1;
  double used = 0;
  for (Running& each : running_) {
    if (each.sm_share <= 0) continue;
    const auto share = static_cast<double>(each.sm_share);
    const bool finds_room = fair || share <= kFewBlocks;
    each.rate = finds_room ? 1 : std::max(contention_.least_rate, std::min(1.0, left / share));
    used += each.rate * share;
    left = std::max(0.0, left - each.rate * share);
  }
  if (used <= capacity) return;
  for (Running& each : running_) {
    if (each.sm_share > 0) each.rate *= capacity / used;
  }
}

double Simulator::step_length(const SimGraph& graph) const {
  const std::vector<SimIndex>& ends = graph.step_ends;
  const std::size_t warm_up = std::max(1U, graph.warm_up_ends);
  if (ends.size() <= warm_up) return now_ns_ + graph.between_steps_ns;
  return (ready_ns_[ends.back()] - ready_ns_[ends[warm_up - 1]]) /
         static_cast<double>(ends.size() - warm_up);
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
    const bool begun = begin_due(graph, times);
    if (pass_due() || begun || !done_.empty()) set_rates();
  }
  return {now_ns_, std::max(step_length(graph), graph.least_step_ns), finished == count};
}

}  // namespace quintet
