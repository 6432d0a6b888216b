#include "runtime/policy/heft_policy.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <tuple>

namespace quintet {

namespace {

/// UPDATE is for what makes weights of gradients.
bool may_use(const DagNode& node, StreamKind stream) {
  if (node.fixed) return stream == *node.fixed;
  return is_compute(stream) || (stream == StreamKind::UPDATE && node.optimizer);
}
/// Where others leave less than this part of its full speed, a task does not move at all.
constexpr double kLeastRate = 0.1;

struct Placed {
  double begin_ns = 0;
  double end_ns = 0;
  double sm_share = 0;
  double bandwidth_share = 0;
};

struct Finish {
  double begin_ns = 0;
  double end_ns = 0;
  StreamKind stream = StreamKind::COMP_1;
};

/// What of its full speed a task has beside the load.
double rate_beside(double sm, double bandwidth, const TaskWeight& weight) {
  double rate = 1;
  if (weight.sm_share > 0) rate = std::min(rate, (1 - sm) / weight.sm_share);
  if (weight.bandwidth_share > 0) rate = std::min(rate, (1 - bandwidth) / weight.bandwidth_share);
  return rate < kLeastRate ? 0 : rate;
}

class HeftPlacer {
 public:
  explicit HeftPlacer(const StepDag& dag) : dag_(dag), finishes_(dag.size()) {}

  std::vector<Finish> place() {
    for (const std::uint32_t at : by_falling_rank())
      place(at);
    return std::move(finishes_);
  }

 private:
  std::vector<std::uint32_t> by_falling_rank() const {
    const std::vector<double> ranks = upward_ranks(dag_, kHeftArcNs);
    std::vector<std::uint32_t> order(dag_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return ranks[a] > ranks[b]; });
    return order;
  }

  void place(std::uint32_t at) {
    const TaskWeight& weight = dag_.node(at).weight;
    Finish best;
    best.end_ns = kNever;
    for (const StreamKind stream : kStreamKinds) {
      if (!may_use(dag_.node(at), stream)) continue;
      const Finish finish = earliest(at, stream);
      if (finish.end_ns < best.end_ns) best = finish;
    }
    finishes_[at] = best;
    const Placed placed{best.begin_ns, best.end_ns, weight.sm_share, weight.bandwidth_share};
    auto& lane = lanes_[index_of(best.stream)];
    lane.insert(std::upper_bound(lane.begin(), lane.end(), placed,
                                 [](const Placed& a, const Placed& b) {
                                   return std::tie(a.begin_ns, a.end_ns) <
                                          std::tie(b.begin_ns, b.end_ns);
                                 }),
                placed);
  }

  double ready_on(std::uint32_t at, StreamKind stream) const {
    double ready = 0;
    for (const std::uint32_t before : dag_.before(at)) {
      const double arc = finishes_[before].stream == stream ? 0 : kHeftArcNs;
      ready = std::max(ready, finishes_[before].end_ns + arc);
    }
    return ready;
  }

  /// The first gap of the stream that holds the task.
  Finish earliest(std::uint32_t at, StreamKind stream) const {
    double begin = ready_on(at, stream);
    const auto& lane = lanes_[index_of(stream)];
    for (const Placed& next : lane) {
      if (next.end_ns <= begin) continue;
      if (begin < next.begin_ns) {
        const double end = end_beside(begin, dag_.node(at).weight, stream, next.begin_ns);
        if (end <= next.begin_ns) return {begin, end, stream};
      }
      begin = std::max(begin, next.end_ns);
    }
    return {begin, end_beside(begin, dag_.node(at).weight, stream, kNever), stream};
  }

  /// When the task ends if it begins then, beside what is placed on other streams. Past `limit` the
  /// exact end does not matter.
  double end_beside(double begin, const TaskWeight& weight, StreamKind stream, double limit) const {
    beside_.clear();
    for (const StreamKind other : kStreamKinds) {
      if (other == stream) continue;
      const auto& lane = lanes_[index_of(other)];
      auto first = std::partition_point(
          lane.begin(), lane.end(), [&](const Placed& placed) { return placed.end_ns <= begin; });
      for (; first != lane.end() && first->begin_ns < limit; ++first)
        beside_.push_back(*first);
    }
    double now = begin;
    double left = weight.alone_ns;
    while (left > 0 && now < limit) {
      double sm = 0;
      double bandwidth = 0;
      double change = kNever;
      for (const Placed& placed : beside_) {
        if (placed.end_ns <= now) continue;
        change = std::min(change, placed.begin_ns > now ? placed.begin_ns : placed.end_ns);
        if (placed.begin_ns > now) continue;
        sm += placed.sm_share;
        bandwidth += placed.bandwidth_share;
      }
      const double rate = rate_beside(sm, bandwidth, weight);
      if (rate > 0 && left / rate <= change - now) return now + left / rate;
      left -= rate * (change - now);
      now = change;
    }
    return now;
  }

  static constexpr double kNever = 1e18;

  const StepDag& dag_;
  std::vector<Finish> finishes_;
  std::array<std::vector<Placed>, kStreamCount> lanes_;  ///< by begin; they do not overlap
  mutable std::vector<Placed> beside_;                   ///< scratch
};

}  // namespace

HeftSchedule heft_schedule(const StepDag& dag) {
  HeftSchedule schedule;
  const std::vector<Finish> finishes = HeftPlacer(dag).place();
  for (std::uint32_t at = 0; at < dag.size(); ++at) {
    schedule.serial_ns += dag.node(at).weight.alone_ns;
    schedule.makespan_ns = std::max(schedule.makespan_ns, finishes[at].end_ns);
  }
  schedule.mapping = one_stream(dag);
  if (schedule.makespan_ns >= schedule.serial_ns) {
    schedule.makespan_ns = schedule.serial_ns;
    schedule.mapping.reasons.assign(dag.size(), "no mapping is shorter than one stream");
    return schedule;
  }
  for (std::uint32_t at = 0; at < dag.size(); ++at) {
    schedule.mapping.streams[at] = finishes[at].stream;
    schedule.mapping.reasons.push_back(
        fmt::format("earliest finish: {:.1f} to {:.1f} us of the step", finishes[at].begin_ns / 1e3,
                    finishes[at].end_ns / 1e3));
  }
  // Tasks that take no time end as they begin: program order then keeps the arcs.
  std::stable_sort(schedule.mapping.order.begin(), schedule.mapping.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return finishes[a].begin_ns < finishes[b].begin_ns;
                   });
  return schedule;
}

StepMapping heft_mapping(const StepDag& dag) {
  return heft_schedule(dag).mapping;
}

}  // namespace quintet
