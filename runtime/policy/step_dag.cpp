#include "runtime/policy/step_dag.h"

#include <algorithm>
#include <tuple>

#include "runtime/policy/policy_catalog.h"
#include "runtime/policy/task_conflicts.h"

namespace quintet {

namespace {

/// Sub-graphs that a step runs after its last backward task.
bool is_optimizer(GraphId graph) {
  return graph >= GraphId::CAST_DEEP_GRAD_FP16_TO_FP32 && graph <= GraphId::UPDATE_BN_INF_PARAMS &&
         graph != GraphId::METRICS_A && graph != GraphId::METRICS_B;
}

std::optional<StreamKind> fixed_stream(const Task& task, StepMode step,
                                       const StreamPolicy& launches) {
  if (task.kind == OpKind(ComputeOp::H2D_COPY)) return StreamKind::TRANS;
  if (step == StepMode::whole_step) return std::nullopt;
  const Result<StreamKind> launched = launch_stream_of(launches, task.graph);
  const bool trunk = !launched || (*launched == StreamKind::COMP_1 && !is_optimizer(task.graph));
  return trunk ? std::nullopt : std::optional(*launched);
}

DagNode node_of(const Task& task, const TaskWeights& weights) {
  DagNode node;
  node.task = task.id;
  node.weight = weights.of_task.at(task.id.value());
  node.part = task.part;
  node.optimizer = is_optimizer(task.graph);
  node.memory_bound = is_memory_bound(task);
  return node;
}

/// The whole step of the largest training batch, with that batch again as the next.
const TaskGraph* whole_step_of(const ExecutionPlan& plan) {
  const TaskGraph* found = nullptr;
  std::int64_t batch = -1;
  for (const auto& [key, graph] : plan.graphs) {
    if (key.graph != GraphId::WHOLE_STEP_A || key.shape != key.next_shape) continue;
    if (key.micro != MicroBatch::single || plan.shape(key.shape).batch <= batch) continue;
    batch = plan.shape(key.shape).batch;
    found = &graph;
  }
  return found;
}

}  // namespace

StepDag::StepDag(std::vector<DagNode> nodes, std::vector<Arc> arcs)
    : nodes_(std::move(nodes)),
      before_(nodes_.size()),
      after_(nodes_.size()),
      closure_(nodes_.size()) {
  reduce(std::move(arcs));
}

void StepDag::reduce(std::vector<Arc> arcs) {
  // The nearest tails first: every longer way is known when a tail is judged.
  std::sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) {
    return std::tie(a.to, b.from) < std::tie(b.to, a.from);
  });
  for (const Arc& arc : arcs) {
    if (closure_.reaches(arc.from, arc.to)) continue;
    closure_.link(arc.from, arc.to);
    arcs_.push_back(arc);
    before_[arc.to].push_back(arc.from);
    after_[arc.from].push_back(arc.to);
  }
  std::sort(arcs_.begin(), arcs_.end(), [](const Arc& a, const Arc& b) {
    return std::tie(a.to, a.from) < std::tie(b.to, b.from);
  });
  for (auto& before : before_)
    std::sort(before.begin(), before.end());
}

Result<StepDag> step_dag_of(const PlanInput& input, const StepKnobs& knobs,
                            const TaskWeights& weights) {
  Result<StreamPolicy> policy = find_policy("serial");
  if (!policy) return tl::unexpected(policy.error());
  const Result<StreamPolicy> launches = find_policy("renaissance-dataflow");
  if (!launches) return tl::unexpected(launches.error());
  policy->gradients = knobs.gradients;
  policy->step = StepMode::whole_step;
  const Result<ExecutionPlan> plan = build_plan(input, *policy);
  if (!plan) return tl::unexpected(plan.error());
  const TaskGraph* step = whole_step_of(*plan);
  if (step == nullptr) {
    return fail("the scenario has no training step to map", "choose a scenario that trains");
  }
  std::vector<DagNode> nodes;
  std::vector<std::span<const Access>> accesses;
  for (const PlacedTask& placed : step->tasks) {
    const Task& task = plan->task(placed.task);
    nodes.push_back(node_of(task, weights));
    nodes.back().fixed = fixed_stream(task, knobs.step, *launches);
    accesses.emplace_back(plan->accesses[placed.task.value()]);
  }
  std::vector<Arc> arcs;
  for (const TaskConflict& pair : find_conflicts(accesses, ScratchPairs::grouped).pairs) {
    if (!pair.either_order && pair.first != pair.second) arcs.push_back({pair.first, pair.second});
  }
  return StepDag(std::move(nodes), std::move(arcs));
}

std::vector<double> upward_ranks(const StepDag& dag, double arc_ns) {
  std::vector<double> ranks(dag.size());
  for (std::uint32_t at = dag.size(); at-- > 0;) {
    double longest = 0;
    for (const std::uint32_t next : dag.after(at))
      longest = std::max(longest, arc_ns + ranks[next]);
    ranks[at] = dag.node(at).weight.alone_ns + longest;
  }
  return ranks;
}

}  // namespace quintet
