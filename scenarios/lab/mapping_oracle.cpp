#include "scenarios/lab/mapping_oracle.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "scenarios/lab/step_bound.h"

namespace quintet {

namespace {

/// Depth first over words of (task, stream): each mapping once, as the least of the orders of issue
/// that give the same orders on the streams.
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
        chosen_(dag_.size()),
        end_ns_(dag_.size()),
        issued_(dag_.size()) {
    best_.mapping = known;
    best_.step_ns = step.step_ns(known.streams, known.order);
  }

  bool search() {
    visit();
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
    if (order_.size() == dag_.size()) return judge();
    for (std::uint32_t node = 0; node < dag_.size(); ++node) {
      if (issued_[node] || !is_ready(node)) continue;
      if (dag_.node(node).fixed) {
        try_next(node, *dag_.node(node).fixed);
        continue;
      }
      bool opened = false;
      for (const StreamKind stream : streams_) {
        // Streams without tasks yet are all alike: one of them stands for all.
        const bool fresh = !ends_[index_of(stream)].used;
        if (fresh && opened) continue;
        opened = opened || fresh;
        try_next(node, stream);
      }
    }
  }

  void judge() {
    ++best_.simulated;
    const double time = step_.step_ns(chosen_, order_);
    if (time >= best_.step_ns) return;
    best_.step_ns = time;
    best_.mapping.streams = chosen_;
    best_.mapping.order = order_;
  }

  bool is_ready(std::uint32_t node) const {
    return std::all_of(dag_.before(node).begin(), dag_.before(node).end(),
                       [&](std::uint32_t before) { return issued_[before]; });
  }

  /// The order is the least of its kind where no earlier, higher task could change places with this
  /// one.
  bool is_least(std::uint32_t node, StreamKind stream) const {
    for (auto before = order_.rbegin(); before != order_.rend(); ++before) {
      if (chosen_[*before] == stream || dag_.closure().reaches(*before, node)) return true;
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
    chosen_[node] = stream;
    issued_[node] = true;
    end_ns_[node] = begin + step_.tasks()[node].work_ns;
    ends_[index_of(stream)] = {end_ns_[node], true};
    order_.push_back(node);
    if (bound() < best_.step_ns) visit();
    order_.pop_back();
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
  std::vector<StreamKind> chosen_;
  std::vector<double> end_ns_;  ///< at the earliest
  std::vector<bool> issued_;
  std::vector<std::uint32_t> order_;
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
