#include "scenarios/lab/mapping_oracle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <optional>
#include <vector>

#include "scenarios/lab/step_bound.h"

namespace quintet {

namespace {

/// Which streams are more urgent than which, most urgent first: each bit says that the next stream
/// is less urgent than the one before. Streams of one priority are alike, so more need not be tried.
std::array<int, kStreamCount> priorities_of(std::uint32_t steps,
                                            std::span<const StreamKind> streams) {
  std::array<int, kStreamCount> priorities{};
  int level = -std::popcount(steps);
  for (std::size_t at = 0; at < streams.size(); ++at) {
    if (at > 0 && (steps >> (at - 1) & 1U) != 0) ++level;
    priorities[index_of(streams[at])] = level;
  }
  return priorities;
}

/// Depth first over words of (task, stream): each mapping once, as the least of the orders of issue
/// that give the same orders on the streams. So for each order of the streams' priorities.
class Oracle {
 public:
  Oracle(MappedStep& step, std::span<const StreamKind> streams, const StepMapping& known,
         std::uint64_t most_simulated)
      : step_(step),
        dag_(step.dag()),
        streams_(streams),
        most_simulated_(most_simulated),
        ranks_(least_ranks(step)),
        area_ns_(area_bound_ns(step)),
        end_ns_(dag_.size()),
        issued_(dag_.size()) {
    best_.mapping = known;
    best_.step_ns = step.step_ns(known);
    tried_.streams.resize(dag_.size());
  }

  bool search() {
    const std::uint32_t patterns = streams_.empty() ? 1U : 1U << (streams_.size() - 1);
    for (std::uint32_t steps = 0; steps < patterns; ++steps) {
      tried_.priorities = priorities_of(steps, streams_);
      visit();
    }
    return best_.simulated <= most_simulated_;
  }
  OracleResult result() { return std::move(best_); }

 private:
  struct StreamEnd {
    double end_ns = 0;
    bool used = false;
  };

  void visit() {
    if (best_.simulated > most_simulated_) return;
    if (tried_.order.size() == dag_.size()) return judge();
    for (std::uint32_t node = 0; node < dag_.size(); ++node) {
      if (issued_[node] || !is_ready(node)) continue;
      if (dag_.node(node).fixed) {
        try_next(node, *dag_.node(node).fixed);
        continue;
      }
      std::optional<int> opened;
      for (const StreamKind stream : streams_) {
        // Streams of one priority without tasks yet are all alike: one of them stands for all.
        const int priority = tried_.priorities[index_of(stream)];
        const bool fresh = !ends_[index_of(stream)].used;
        if (fresh && opened == priority) continue;
        if (fresh) opened = priority;
        try_next(node, stream);
      }
    }
  }

  void judge() {
    ++best_.simulated;
    const double time = step_.step_ns(tried_);
    if (time >= best_.step_ns) return;
    best_.step_ns = time;
    best_.mapping = tried_;
  }

  bool is_ready(std::uint32_t node) const {
    return std::all_of(dag_.before(node).begin(), dag_.before(node).end(),
                       [&](std::uint32_t before) { return issued_[before]; });
  }

  /// The order is the least of its kind where no earlier, higher task could change places with this
  /// one.
  bool is_least(std::uint32_t node, StreamKind stream) const {
    for (auto before = tried_.order.rbegin(); before != tried_.order.rend(); ++before) {
      if (tried_.streams[*before] == stream || dag_.closure().reaches(*before, node)) return true;
      if (*before > node) return false;
    }
    return true;
  }

  void try_next(std::uint32_t node, StreamKind stream) {
    if (!is_least(node, stream)) return;
    const StreamEnd before = ends_[index_of(stream)];
    const double gap = step_.device().node_gap_ns;
    double begin = before.used ? before.end_ns + gap : 0;
    for (const std::uint32_t from : dag_.before(node))
      begin = std::max(begin, end_ns_[from] + gap);
    tried_.streams[node] = stream;
    issued_[node] = true;
    end_ns_[node] = begin + step_.tasks()[node].work_ns;
    ends_[index_of(stream)] = {end_ns_[node], true};
    tried_.order.push_back(node);
    if (bound() < best_.step_ns) visit();
    tried_.order.pop_back();
    ends_[index_of(stream)] = before;
    issued_[node] = false;
  }

  /// No mapping that begins so is faster: without contention, and with the least gaps.
  double bound() const {
    const double gap = step_.device().node_gap_ns;
    double longest = area_ns_;
    for (std::uint32_t node = 0; node < dag_.size(); ++node) {
      if (issued_[node]) {
        longest = std::max(longest, end_ns_[node] - step_.tasks()[node].work_ns + ranks_[node]);
        continue;
      }
      for (const std::uint32_t from : dag_.before(node)) {
        if (issued_[from]) longest = std::max(longest, end_ns_[from] + gap + ranks_[node]);
      }
    }
    return framed_ns(step_, longest);
  }

  MappedStep& step_;
  const StepDag& dag_;
  std::span<const StreamKind> streams_;
  std::uint64_t most_simulated_;
  std::vector<double> ranks_;
  double area_ns_;
  StepMapping tried_;
  std::vector<double> end_ns_;  ///< at the earliest
  std::vector<bool> issued_;
  std::array<StreamEnd, kStreamCount> ends_{};
  OracleResult best_;
};

}  // namespace

Result<OracleResult> best_mapping(MappedStep& step, std::span<const StreamKind> streams,
                                  const StepMapping& known, std::uint64_t most_simulated) {
  if (step.dag().size() > kOracleTasks) {
    return fail(fmt::format("the step has {} tasks, the oracle takes {} at most", step.dag().size(),
                            kOracleTasks),
                "search instead");
  }
  Oracle oracle(step, streams, known, most_simulated);
  if (!oracle.search()) {
    return fail(fmt::format("more than {} mappings, the best is not known", most_simulated),
                "take fewer tasks or streams");
  }
  return oracle.result();
}

}  // namespace quintet
