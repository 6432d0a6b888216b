#include "scenarios/verify/lost_concurrency.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <span>
#include <utility>

#include "profiler/analysis/logical_width.h"
#include "profiler/analysis/step_window.h"
#include "runtime/policy/reachability.h"
#include "runtime/policy/task_conflicts.h"

namespace quintet {

namespace {

using EdgePair = std::pair<TaskId, TaskId>;
using ArcList = std::vector<std::pair<std::size_t, std::size_t>>;

/// The order of one graph by positions in issue order.
class GraphArcs {
 public:
  explicit GraphArcs(const TaskGraph& graph) : graph_(graph) {
    for (std::uint32_t at = 0; at < graph.tasks.size(); ++at)
      position_[graph.tasks[at].task] = at;
  }

  [[nodiscard]] std::uint32_t position(TaskId task) const { return position_.at(task); }

  /// Stream order and every edge but those of `without`.
  [[nodiscard]] std::vector<Arc> arcs(const std::set<EdgePair>& without) const {
    std::vector<Arc> arcs;
    std::array<std::optional<std::uint32_t>, kStreamCount> last;
    for (std::uint32_t at = 0; at < graph_.tasks.size(); ++at) {
      auto& before = last[index_of(graph_.tasks[at].stream)];
      if (before) arcs.push_back({*before, at});
      before = at;
    }
    for (const Edge& edge : graph_.edges) {
      if (!without.contains({edge.from, edge.to})) {
        arcs.push_back({position(edge.from), position(edge.to)});
      }
    }
    return arcs;
  }

  [[nodiscard]] std::uint64_t ordered_pairs(const std::set<EdgePair>& without) const {
    const Reachability closure(graph_.tasks.size(), arcs(without));
    std::uint64_t pairs = 0;
    for (std::uint32_t at = 0; at < graph_.tasks.size(); ++at) {
      for (const std::uint64_t word : closure.ancestors(at))
        pairs += static_cast<std::uint64_t>(std::popcount(word));
    }
    return pairs;
  }

 private:
  const TaskGraph& graph_;
  std::map<TaskId, std::uint32_t> position_;
};

/// When tasks ran in the timed steps of a recording.
class RecordedTimes {
 public:
  explicit RecordedTimes(const Trace& trace) {
    std::set<std::int32_t> timed;
    for (const StepWindow& window : step_windows(trace)) {
      if (window.timed) timed.insert(static_cast<std::int32_t>(window.step));
    }
    const SpanColumns& spans = trace.spans;
    for (std::size_t span = 0; span < spans.size(); ++span) {
      if (!timed.contains(spans.step[span]) || !on_stream(trace, span)) continue;
      const Interval time = interval_of(spans, span);
      const auto [found, fresh] = runs_.try_emplace({spans.step[span], spans.task[span]}, time);
      if (fresh) continue;
      found->second.begin = std::min(found->second.begin, time.begin);
      found->second.end = std::max(found->second.end, time.end);
    }
    steps_.assign(timed.begin(), timed.end());
  }

  /// The mean time by which `edge` made its task ready later than all else that it waits for.
  [[nodiscard]] std::optional<double> waited(const TaskGraph& graph,
                                             const SurplusEdge& edge) const {
    const std::vector<TaskId> others = other_predecessors(graph, edge);
    std::int64_t sum = 0;
    std::int64_t steps = 0;
    for (const std::int32_t step : steps_) {
      const auto from = runs_.find({step, edge.from.value()});
      if (from == runs_.end() || !runs_.contains({step, edge.to.value()})) continue;
      std::optional<std::int64_t> ready;
      for (const TaskId other : others) {
        const auto run = runs_.find({step, other.value()});
        if (run != runs_.end()) ready = std::max(ready.value_or(run->second.end), run->second.end);
      }
      ++steps;
      // The first of its stream could have begun with the launch, whose time is that of the first
      // task of the graph.
      if (!ready) ready = launch_of(graph, step);
      if (ready) sum += std::max<std::int64_t>(0, from->second.end - *ready);
    }
    if (steps == 0) return std::nullopt;
    return static_cast<double>(sum) / static_cast<double>(steps);
  }

 private:
  static std::vector<TaskId> other_predecessors(const TaskGraph& graph, const SurplusEdge& edge) {
    std::vector<TaskId> others;
    std::optional<StreamKind> stream;
    for (auto placed = graph.tasks.rbegin(); placed != graph.tasks.rend(); ++placed) {
      if (placed->task == edge.to) {
        stream = placed->stream;
      } else if (stream == placed->stream) {
        others.push_back(placed->task);
        break;
      }
    }
    for (const Edge& other : graph.edges) {
      if (other.to == edge.to && other.from != edge.from) others.push_back(other.from);
    }
    return others;
  }
  [[nodiscard]] std::optional<std::int64_t> launch_of(const TaskGraph& graph,
                                                      std::int32_t step) const {
    std::optional<std::int64_t> first;
    for (const PlacedTask& placed : graph.tasks) {
      const auto run = runs_.find({step, placed.task.value()});
      if (run != runs_.end())
        first = std::min(first.value_or(run->second.begin), run->second.begin);
    }
    return first;
  }

  std::map<std::pair<std::int32_t, std::uint32_t>, Interval> runs_;
  std::vector<std::int32_t> steps_;
};

bool is_usual(const ExecutionPlan& plan, const GraphKey& key) {
  if (slot_of(key.graph) == BufferSlot::B) return false;
  if (key.micro != MicroBatch::single && key.micro != MicroBatch::first) return false;
  if (plan.micro_batches > 1 && key.graph >= GraphId::WHOLE_STEP_A &&
      key.micro == MicroBatch::single) {
    return false;
  }
  for (const ShapeId shape : {key.shape, key.next_shape}) {
    if (shape != kAnyShape && plan.shape(shape).name != "train") return false;
  }
  return true;
}

/// By conflicts of data, either order of scratch left out: another placement would remove those.
std::size_t width_of_data(const ExecutionPlan& plan, const TaskGraph& graph) {
  std::vector<std::span<const Access>> accesses;
  for (const PlacedTask& placed : graph.tasks)
    accesses.emplace_back(plan.accesses[placed.task.value()]);
  ArcList arcs;
  for (const TaskConflict& conflict : find_conflicts(accesses).pairs) {
    if (!conflict.either_order && conflict.first != conflict.second) {
      arcs.emplace_back(conflict.first, conflict.second);
    }
  }
  return max_antichain(graph.tasks.size(), arcs);
}

std::size_t width_as_planned(const TaskGraph& graph) {
  ArcList arcs;
  for (const Arc& arc : GraphArcs(graph).arcs({}))
    arcs.emplace_back(arc.from, arc.to);
  return max_antichain(graph.tasks.size(), arcs);
}

}  // namespace

std::vector<SurplusCost> surplus_costs(const ExecutionPlan& plan, const ProofReport& proof,
                                       const Trace* recorded) {
  std::optional<RecordedTimes> times;
  if (recorded != nullptr && !proof.surplus.empty()) times.emplace(*recorded);
  std::map<GraphKey, std::uint64_t> ordered;
  std::vector<SurplusCost> costs;
  for (const SurplusEdge& edge : proof.surplus) {
    const TaskGraph& graph = plan.graphs.at(edge.graph);
    const GraphArcs arcs(graph);
    const auto [all, fresh] = ordered.try_emplace(edge.graph, 0);
    if (fresh) all->second = arcs.ordered_pairs({});
    SurplusCost cost{edge, all->second - arcs.ordered_pairs({{edge.from, edge.to}}), std::nullopt};
    if (times) cost.waited_ns = times->waited(graph, edge);
    costs.push_back(std::move(cost));
  }
  return costs;
}

std::vector<GraphConcurrency> graph_concurrency(const ExecutionPlan& plan,
                                                const ProofReport& proof) {
  std::vector<GraphConcurrency> found;
  for (const auto& [key, graph] : plan.graphs) {
    if (graph.tasks.size() < 2 || !is_usual(plan, key)) continue;
    std::set<EdgePair> surplus;
    for (const SurplusEdge& edge : proof.surplus) {
      if (edge.graph == key) surplus.emplace(edge.from, edge.to);
    }
    GraphConcurrency row{key,
                         graph.tasks.size(),
                         graph.edges.size(),
                         width_of_data(plan, graph),
                         width_as_planned(graph),
                         surplus.size(),
                         0};
    if (!surplus.empty()) {
      const GraphArcs arcs(graph);
      row.lost_pairs = arcs.ordered_pairs({}) - arcs.ordered_pairs(surplus);
    }
    found.push_back(row);
  }
  return found;
}

}  // namespace quintet
