#include "runtime/exec/captured_proof.h"

#include <fmt/format.h>
#include <queue>
#include <unordered_map>

#include "runtime/policy/reachability.h"
#include "runtime/policy/task_conflicts.h"

namespace quintet {

namespace {

/// The graph's nodes numbered in a topological order, and the closure of its edges.
class NodeOrder {
 public:
  explicit NodeOrder(GraphRef graph) {
    const std::vector<cudaGraphNode_t> nodes = graph.nodes();
    const auto edges = graph.edges();
    std::unordered_map<cudaGraphNode_t, std::vector<cudaGraphNode_t>> after;
    std::unordered_map<cudaGraphNode_t, int> open;
    for (const auto& [from, to] : edges) {
      after[from].push_back(to);
      ++open[to];
    }
    std::queue<cudaGraphNode_t> ready;
    for (const cudaGraphNode_t node : nodes) {
      if (open[node] == 0) ready.push(node);
    }
    while (!ready.empty()) {
      const cudaGraphNode_t node = ready.front();
      ready.pop();
      number_.emplace(node, static_cast<std::uint32_t>(number_.size()));
      for (const cudaGraphNode_t next : after[node]) {
        if (--open[next] == 0) ready.push(next);
      }
    }
    std::vector<Arc> arcs;
    arcs.reserve(edges.size());
    for (const auto& [from, to] : edges)
      arcs.push_back({number_.at(from), number_.at(to)});
    closure_ = Reachability(number_.size(), arcs);
    edges_ = edges.size();
  }

  [[nodiscard]] std::size_t nodes() const { return number_.size(); }
  [[nodiscard]] std::size_t edges() const { return edges_; }
  [[nodiscard]] bool holds(cudaGraphNode_t node) const { return number_.contains(node); }
  [[nodiscard]] bool reaches(cudaGraphNode_t from, cudaGraphNode_t to) const {
    return closure_.reaches(number_.at(from), number_.at(to));
  }

 private:
  std::unordered_map<cudaGraphNode_t, std::uint32_t> number_;
  Reachability closure_{0};
  std::size_t edges_ = 0;
};

/// Every node of `first` before every node of `second`.
bool comes_before(const NodeOrder& order, const TaskNodes& first, const TaskNodes& second) {
  for (const cudaGraphNode_t from : first.nodes) {
    for (const cudaGraphNode_t to : second.nodes) {
      if (!order.reaches(from, to)) return false;
    }
  }
  return true;
}

}  // namespace

CapturedProof prove_captured(const ExecutionPlan& plan, const CapturedTasks& captured) {
  const NodeOrder order(captured.graph.ref());
  CapturedProof proof;
  proof.nodes = order.nodes();
  proof.edges = order.edges();
  std::vector<std::span<const Access>> accesses;
  std::size_t owned = 0;
  for (const TaskNodes& task : captured.tasks) {
    accesses.emplace_back(plan.accesses[task.task.value()]);
    for (const cudaGraphNode_t node : task.nodes) {
      ++owned;
      if (!order.holds(node)) {
        proof.findings.push_back(
            fmt::format("a node of {} is not in the captured graph", plan.task(task.task).name));
      }
    }
  }
  if (owned != order.nodes()) {
    proof.findings.push_back(
        fmt::format("{} nodes were captured, {} belong to tasks", order.nodes(), owned));
  }
  if (!proof.findings.empty()) return proof;
  for (const TaskConflict& conflict : find_conflicts(accesses).pairs) {
    if (conflict.first == conflict.second) continue;
    ++proof.conflicting_pairs;
    const TaskNodes* earlier = &captured.tasks[conflict.first];
    const TaskNodes* later = &captured.tasks[conflict.second];
    if (later->task < earlier->task) std::swap(earlier, later);
    if (comes_before(order, *earlier, *later)) continue;
    if (conflict.either_order && comes_before(order, *later, *earlier)) continue;
    proof.findings.push_back(fmt::format("{} is not ordered before {} in the captured graph",
                                         plan.task(earlier->task).name,
                                         plan.task(later->task).name));
  }
  return proof;
}

}  // namespace quintet
