#include "profiler/analysis/critical_path.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace quintet {

namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// A node of a lane with the longest chain that ends with it.
struct LaneChain {
  std::size_t node = 0;
  std::size_t rank = 0;
  Interval time;
  std::int64_t until_ns = 0;
};

/// The longest chain among the nodes of a lane that have ended. Nodes come in order of time.
class EndedChains {
 public:
  void open(const LaneChain& chain) { open_.push(chain); }

  void close_until(std::int64_t time) {
    while (!open_.empty() && open_.top().time.end <= time) {
      close(open_.top());
      open_.pop();
    }
  }

  /// Of equally long chains the first that is not part of another one.
  [[nodiscard]] std::size_t best() const { return best_ ? best_->node : kNone; }

 private:
  struct EndsLater {
    bool operator()(const LaneChain& a, const LaneChain& b) const {
      return std::tuple(a.time.end, a.rank) > std::tuple(b.time.end, b.rank);
    }
  };

  void close(const LaneChain& chain) {
    if (best_ && chain.until_ns < best_->until_ns) return;
    const bool longer = !best_ || chain.until_ns > best_->until_ns;
    if (longer) instant_ = std::numeric_limits<std::int64_t>::min();
    if (chain.time.empty()) {
      // It goes on where those of its length ended: they are part of its chain.
      best_ = chain;
      instant_ = chain.time.begin;
    } else if (longer || (chain.time.end > instant_ && chain.rank < best_->rank)) {
      best_ = chain;
    }
  }

  std::priority_queue<LaneChain, std::vector<LaneChain>, EndsLater> open_;
  std::optional<LaneChain> best_;
  std::int64_t instant_ =
      0;  ///< where the last one without length lies that is as long as the best
};

/// The runs and calls of one step as a graph whose edges lead forward in time.
class PathGraph {
 public:
  PathGraph(const std::vector<RunInterval>& runs, TaskRelations& relations, PathOrder order,
            const std::vector<const LaunchCall*>& calls)
      : runs_(runs), calls_(calls), relations_(relations) {
    for (const RunInterval& run : runs)
      times_.push_back(run.time);
    for (const LaunchCall* call : calls)
      times_.push_back(call->time);
    rank_nodes();
    edges_.resize(times_.size());
    lane_of_.assign(times_.size(), kNone);
    switch (order) {
      case PathOrder::as_run:
        order_lanes();
        order_tasks();
        order_calls();
        order_waits();
        return;
      case PathOrder::data:
        order_data();
        return;
    }
  }

  [[nodiscard]] CriticalPath longest() const {
    const std::size_t count = times_.size();
    CriticalPath result;
    std::vector<std::int64_t> until(count);  // longest chain that ends with the node, it included
    std::vector<const Edge*> via(count, nullptr);
    std::vector<std::size_t> before(count, kNone);
    std::vector<std::int64_t> head(count);  // the same without the node
    std::vector<EndedChains> ended(lanes_);
    for (const std::size_t node : in_time_) {
      if (const std::size_t lane = lane_of_[node]; lane != kNone) {
        // What ended by now precedes the node; on a lane nothing else orders.
        ended[lane].close_until(times_[node].begin);
        const std::size_t last = ended[lane].best();
        const std::int64_t chain = last == kNone ? 0 : until[last];
        const bool first_of_equals = last != kNone && before[node] != kNone &&
                                     chain == head[node] && rank_[last] < rank_[before[node]];
        if (last != kNone && (before[node] == kNone || chain > head[node] || first_of_equals)) {
          head[node] = chain;
          before[node] = last;
          via[node] = nullptr;
        }
      }
      until[node] = head[node] + times_[node].length();
      if (lane_of_[node] != kNone)
        ended[lane_of_[node]].open({node, rank_[node], times_[node], until[node]});
      for (const Edge& edge : edges_[node]) {
        const std::int64_t chain = until[node] - edge.early_ns;
        if (before[edge.to] != kNone && chain <= head[edge.to]) continue;
        head[edge.to] = std::max(head[edge.to], chain);
        before[edge.to] = node;
        via[edge.to] = &edge;
      }
    }
    const std::vector<std::int64_t> from = longest_from();
    if (count == 0) return result;
    std::size_t last = in_time_.front();
    for (const std::size_t node : in_time_) {
      if (until[node] > until[last]) last = node;
    }
    result.length_ns = until[last];
    for (std::size_t node = last, next = kNone; node != kNone; next = node, node = before[node]) {
      result.path.push_back(node);
      if (node < runs_.size()) continue;
      const std::int64_t early = next == kNone || via[next] == nullptr ? 0 : via[next]->early_ns;
      result.call_ns += times_[node].length() - early;
    }
    std::reverse(result.path.begin(), result.path.end());
    for (std::size_t node = 0; node < count; ++node) {
      result.slack_ns.push_back(result.length_ns -
                                (until[node] + from[node] - times_[node].length()));
    }
    return result;
  }

 private:
  struct Edge {
    std::size_t to = 0;
    std::int64_t early_ns = 0;  ///< how much of the source does not delay the target
  };

  /// A total order in which every edge leads forward.
  void rank_nodes() {
    in_time_.resize(times_.size());
    std::iota(in_time_.begin(), in_time_.end(), std::size_t{0});
    const auto key = [this](std::size_t node) {
      return std::tuple(times_[node].begin, times_[node].end, node);
    };
    std::sort(in_time_.begin(), in_time_.end(),
              [&key](std::size_t a, std::size_t b) { return key(a) < key(b); });
    rank_.resize(times_.size());
    for (std::size_t rank = 0; rank < in_time_.size(); ++rank)
      rank_[in_time_[rank]] = rank;
  }

  /// True where `earlier` comes first and had ended when `later` began.
  [[nodiscard]] bool apart(std::size_t earlier, std::size_t later) const {
    return rank_[earlier] < rank_[later] && times_[earlier].end <= times_[later].begin;
  }

  void connect(std::size_t from, std::size_t to) {
    if (apart(from, to)) edges_[from].push_back({to, 0});
  }

  /// Streams run their work in order, threads their calls: of one lane each precedes all that began
  /// once it had ended. These are not kept as edges, which overlap would make as many as pairs.
  void order_lanes() {
    std::map<std::pair<bool, std::uint32_t>, std::size_t> position;
    for (std::size_t node = 0; node < times_.size(); ++node) {
      const bool run = node < runs_.size();
      const std::uint32_t lane = run ? runs_[node].lane.value() : calls_[node - runs_.size()]->host;
      lane_of_[node] = position.try_emplace({run, lane}, position.size()).first->second;
    }
    lanes_ = position.size();
  }

  /// Per node the longest chain that begins with it, it included.
  [[nodiscard]] std::vector<std::int64_t> longest_from() const {
    struct Lane {
      // By begin, the earliest at the end; each with the longest chain of it and all later ones.
      std::vector<std::pair<std::int64_t, std::int64_t>> chains;
    };
    std::vector<std::int64_t> from(times_.size());
    std::vector<Lane> lanes(lanes_);
    for (auto node = in_time_.rbegin(); node != in_time_.rend(); ++node) {
      const Interval& time = times_[*node];
      std::int64_t behind = 0;
      for (const Edge& edge : edges_[*node])
        behind = std::max(behind, from[edge.to] - edge.early_ns);
      if (lane_of_[*node] != kNone) {
        auto& chains = lanes[lane_of_[*node]].chains;
        // Nodes come with falling begins: the first ones begin once this one has ended.
        const auto after =
            std::partition_point(chains.begin(), chains.end(),
                                 [&time](const auto& each) { return each.first >= time.end; });
        if (after != chains.begin()) behind = std::max(behind, (after - 1)->second);
        from[*node] = time.length() + behind;
        const std::int64_t most = chains.empty() ? 0 : chains.back().second;
        chains.emplace_back(time.begin, std::max(most, from[*node]));
      } else {
        from[*node] = time.length() + behind;
      }
    }
    return from;
  }

  /// Runs of real tasks; names that stand for many kernels have no relations.
  [[nodiscard]] std::vector<std::size_t> related() const {
    std::vector<std::size_t> nodes;
    for (const std::size_t node : in_time_) {
      if (node < runs_.size() && relations_.has_relations(runs_[node].task)) nodes.push_back(node);
    }
    return nodes;
  }

  void order_tasks() {
    const std::vector<std::size_t> nodes = related();
    for (std::size_t later = 0; later < nodes.size(); ++later) {
      const RunInterval& second = runs_[nodes[later]];
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const RunInterval& first = runs_[nodes[earlier]];
        if (first.lane == second.lane || first.time.end > second.time.begin) continue;
        if (relations_.graph_edge(first.task, second.task) ||
            relations_.conflict(first.task, second.task)) {
          connect(nodes[earlier], nodes[later]);
        }
      }
    }
  }

  void order_data() {
    const std::vector<std::size_t> nodes = related();
    for (std::size_t later = 0; later < nodes.size(); ++later) {
      const RunInterval& second = runs_[nodes[later]];
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const RunInterval& first = runs_[nodes[earlier]];
        if (first.time.end > second.time.begin) continue;
        if (relations_.data_conflict(first.task, second.task)) {
          connect(nodes[earlier], nodes[later]);
        }
      }
    }
  }

  /// Work may begin before the call that launched it has returned: what counts of the call is the
  /// part until then.
  void order_calls() {
    if (calls_.empty()) return;
    std::unordered_map<const LaunchCall*, std::size_t> node_of;
    for (std::size_t call = 0; call < calls_.size(); ++call)
      node_of[calls_[call]] = runs_.size() + call;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const auto call = node_of.find(relations_.launch_of(runs_[run]));
      if (call == node_of.end()) continue;
      const std::int64_t begin = times_[run].begin;
      if (times_[call->second].begin > begin || rank_[call->second] > rank_[run]) continue;
      edges_[call->second].push_back(
          {run, std::max<std::int64_t>(0, times_[call->second].end - begin)});
    }
  }

  /// The call after a wait of the host follows the run whose end ended the wait.
  void order_waits() {
    std::vector<std::size_t> by_end(runs_.size());
    std::iota(by_end.begin(), by_end.end(), std::size_t{0});
    std::sort(by_end.begin(), by_end.end(), [this](std::size_t a, std::size_t b) {
      return std::tuple(times_[a].end, a) < std::tuple(times_[b].end, b);
    });
    for (std::size_t call = 0; call < calls_.size(); ++call) {
      const HostWait* wait = relations_.wait_before(*calls_[call]);
      if (wait == nullptr) continue;
      auto run = std::partition_point(by_end.begin(), by_end.end(), [&](std::size_t each) {
        return times_[each].end <= wait->time.end;
      });
      while (run != by_end.begin() && times_[*--run].end > wait->time.begin) {
        if (!waited_for(*wait, runs_[*run])) continue;
        connect(*run, runs_.size() + call);
        break;
      }
    }
  }

  /// A graph is done on the stream that it was launched on when all of it is.
  [[nodiscard]] bool waited_for(const HostWait& wait, const RunInterval& run) const {
    if (!wait.stream || run.lane == *wait.stream) return true;
    const LaunchCall* call = relations_.launch_of(run);
    return call != nullptr && call->stream == wait.stream->value();
  }

  const std::vector<RunInterval>& runs_;
  const std::vector<const LaunchCall*>& calls_;
  TaskRelations& relations_;
  std::vector<Interval> times_;           ///< of runs, then of calls
  std::vector<std::size_t> in_time_;      ///< nodes in a total order of time
  std::vector<std::size_t> rank_;         ///< per node: its place there
  std::vector<std::vector<Edge>> edges_;  ///< per node; those of lanes are not among them
  std::vector<std::size_t> lane_of_;      ///< per node, from 0; kNone = no lane orders it
  std::size_t lanes_ = 0;
};

}  // namespace

std::vector<RunInterval> stream_runs(const Trace& trace, const StepWindow& window) {
  std::vector<RunInterval> runs = task_runs(trace, window, RunChoice::begun);
  std::erase_if(runs, [&trace](const RunInterval& run) {
    return trace.lanes[run.lane.value()].kind != LaneKind::stream;
  });
  return runs;
}

std::vector<const LaunchCall*> calls_within(const TaskRelations& relations,
                                            const StepWindow& window) {
  const std::vector<LaunchCall>& all = relations.calls();
  auto call = std::partition_point(all.begin(), all.end(), [&window](const LaunchCall& each) {
    return each.time.begin < window.time.begin;
  });
  std::vector<const LaunchCall*> calls;
  for (; call != all.end() && call->time.begin < window.time.end; ++call)
    calls.push_back(&*call);
  return calls;
}

CriticalPath critical_path(const std::vector<RunInterval>& runs, TaskRelations& relations,
                           PathOrder order, const std::vector<const LaunchCall*>& calls) {
  return PathGraph(runs, relations, order, calls).longest();
}

StepPath step_path(const Trace& trace, const StepWindow& window, TaskRelations& relations) {
  StepPath step{stream_runs(trace, window), {}};
  step.path =
      critical_path(step.runs, relations, PathOrder::as_run, calls_within(relations, window));
  return step;
}

}  // namespace quintet
