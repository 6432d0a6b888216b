#include "scenarios/lab/mapped_step.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "profiler/whatif/step_model.h"
#include "runtime/policy/policy_catalog.h"

namespace quintet {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

bool is_transfer_or_fill(const TaskCosts& costs, const Task& task, const PlanInput& input) {
  const TaskCost* cost = costs.find(task.name, input.shapes.at(task.shape.value()).name);
  return cost != nullptr && cost->fills > 0;
}

/// A run whose input stays on the device transfers nothing: its steps are simulated without.
Result<void> keep_simulated(const StepModel& model, StepDag& dag) {
  std::vector<DagNode> nodes;
  std::vector<std::uint32_t> kept;
  for (std::uint32_t node = 0; node < dag.size(); ++node) {
    const bool simulated =
        kept.size() < model.labels.size() && model.labels[kept.size()].task == dag.node(node).task;
    if (!simulated && dag.node(node).fixed) continue;
    kept.push_back(node);
    nodes.push_back(dag.node(node));
  }
  if (kept.size() != model.graph.nodes.size()) {
    return fail("the step is simulated as other tasks than its graph's",
                "search a scenario whose step is one graph");
  }
  if (kept.size() == dag.size()) return {};
  std::vector<Arc> arcs;
  for (std::uint32_t to = 0; to < kept.size(); ++to) {
    for (std::uint32_t from = 0; from < to; ++from) {
      if (dag.closure().reaches(kept[from], kept[to])) arcs.push_back({from, to});
    }
  }
  dag = StepDag(std::move(nodes), std::move(arcs));
  return {};
}

}  // namespace

MappedStep::MappedStep(StepDag dag, std::vector<MappedTask> tasks, const DeviceModel& device,
                       const StepFrame& frame)
    : dag_(std::move(dag)),
      tasks_(std::move(tasks)),
      device_(device),
      frame_(frame),
      simulator_(device.contention),
      place_(dag_.size()),
      rank_(dag_.size()),
      begin_clock_(dag_.size()),
      successors_(dag_.size()),
      predecessors_(dag_.size()),
      depth_(dag_.size()),
      root_(dag_.size()),
      joins_roots_(dag_.size()),
      held_by_(dag_.size()) {
  graph_.nodes.resize(dag_.size());
  graph_.order.resize(dag_.size());
  for (std::uint32_t node = 0; node < dag_.size(); ++node) {
    SimNode& of = graph_.nodes[node];
    of.work_ns = tasks_[node].work_ns;
    of.sm_share = tasks_[node].sm_share;
    of.bandwidth_share = tasks_[node].bandwidth_share;
    of.block_ns = tasks_[node].block_ns;
  }
  graph_.least_step_ns = frame.least_step_ns;
}

Result<MappedStep> MappedStep::of(const Replanner& run, const CostModel& costs,
                                  GradientMode gradients) {
  const PlanInput& input = run.input();
  if (input.micro_batches > 1) {
    return fail("a step of several micro-batches is several graphs, not one to search over",
                "search a scenario without micro-batches");
  }
  Result<StepDag> dag =
      step_dag_of(input, {gradients, StepMode::whole_step}, weights_of(input, costs));
  if (!dag) return tl::unexpected(dag.error());
  Result<StreamPolicy> serial = find_policy("serial");
  if (!serial) return tl::unexpected(serial.error());
  serial->gradients = gradients;
  serial->step = StepMode::whole_step;
  const Result<ExecutionPlan> plan = run.plan(*serial);
  if (!plan) return tl::unexpected(plan.error());
  const Result<StepModel> model = step_model_of(*plan, costs.costs, costs.device);
  if (!model) return tl::unexpected(model.error());
  if (auto same = keep_simulated(*model, *dag); !same) return tl::unexpected(same.error());
  std::vector<MappedTask> tasks;
  for (std::uint32_t node = 0; node < dag->size(); ++node) {
    const SimNode& simulated = model->graph.nodes[node];
    const Task& task = plan->task(dag->node(node).task);
    tasks.push_back({simulated.work_ns, simulated.sm_share, simulated.bandwidth_share,
                     simulated.block_ns, is_transfer_or_fill(costs.costs, task, input),
                     task.workspace_bytes});
  }
  const StepFrame frame{costs.device.graph_ns, model->graph.least_step_ns, costs.correction};
  return MappedStep(std::move(*dag), std::move(tasks), costs.device, frame);
}

/// An arc is a wait only where stream order and nearer waits do not imply it: a clock of the
/// streams tells, since each stream is a chain.
void MappedStep::connect_node(std::uint32_t node, std::span<const StreamKind> streams) {
  const std::size_t stream = index_of(streams[node]);
  Clock& clock = begin_clock_[node];
  const auto pass = [&](std::uint32_t before) {
    for (std::size_t s = 0; s < kStreamCount; ++s)
      clock[s] = std::max(clock[s], begin_clock_[before][s]);
    std::uint32_t& own = clock[index_of(streams[before])];
    own = std::max(own, rank_[before] + 1);
  };
  clock.fill(0);
  if (last_on_[stream] != kNone) pass(last_on_[stream]);
  candidates_.clear();
  for (const std::uint32_t before : dag_.before(node)) {
    if (streams[before] != streams[node]) candidates_.push_back(before);
  }
  std::sort(candidates_.begin(), candidates_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return place_[a] > place_[b]; });
  const std::size_t first = kept_.size();
  for (const std::uint32_t before : candidates_) {
    if (clock[index_of(streams[before])] > rank_[before]) continue;
    pass(before);
    kept_.push_back({before, node, 0});
  }
  std::reverse(kept_.begin() + static_cast<std::ptrdiff_t>(first), kept_.end());
  predecessors_[node] = static_cast<std::uint32_t>(kept_.size() - first);
  if (last_on_[stream] != kNone) {
    ++predecessors_[node];
    ++successors_[last_on_[stream]];
  }
  find_root(node, first, last_on_[stream]);
}

/// As GraphAdder does it: the longest path, of two the one whose root is issued first.
void MappedStep::find_root(std::uint32_t node, std::size_t first_kept, std::uint32_t on_stream) {
  depth_[node] = 0;
  root_[node] = place_[node];
  const auto lead = [&](std::uint32_t before) {
    const std::uint32_t depth = depth_[before] + 1;
    if (depth < depth_[node] || (depth == depth_[node] && root_[before] > root_[node])) return;
    depth_[node] = depth;
    root_[node] = root_[before];
  };
  const auto joins = [&](std::uint32_t before) { return root_[before] != root_[node]; };
  for (std::size_t edge = first_kept; edge < kept_.size(); ++edge)
    lead(kept_[edge].from);
  if (on_stream != kNone) lead(on_stream);
  bool several = on_stream != kNone && joins(on_stream);
  for (std::size_t edge = first_kept; edge < kept_.size(); ++edge)
    several = several || joins(kept_[edge].from);
  joins_roots_[node] = several ? 1 : 0;
}

/// The gaps are those of add_graph() (profiler/whatif/graph_nodes.cpp).
void MappedStep::add_edges(const StepMapping& mapping) {
  graph_.first_edge.assign(dag_.size() + 1, 0);
  for (SimEdge& edge : kept_) {
    double gap = device_.node_gap_ns + device_.edge_ns;
    gap += device_.fan_out_ns * successors_[edge.from]++;
    if (predecessors_[edge.to] > 1) gap += device_.fan_in_ns;
    if (tasks_[edge.to].fills) gap += device_.fill_in_ns;
    if (tasks_[edge.from].fills) gap += device_.fill_out_ns;
    if (joins_roots_[edge.to] != 0) gap += device_.root_join_ns;
    edge.gap_ns = static_cast<float>(gap);
    ++graph_.first_edge[edge.from + 1];
  }
  for (std::uint32_t node = 0; node < dag_.size(); ++node) {
    graph_.first_edge[node + 1] += graph_.first_edge[node];
    SimNode& of = graph_.nodes[node];
    const std::size_t stream = index_of(mapping.streams[node]);
    of.queue = static_cast<std::uint16_t>(stream);
    of.priority = sim_priority(mapping.priorities[stream]);
    of.queue_gap_ns = static_cast<float>(device_.node_gap_ns);
    if (predecessors_[node] > 1) of.queue_gap_ns += static_cast<float>(device_.fan_in_ns);
    if (joins_roots_[node] != 0) of.queue_gap_ns += static_cast<float>(device_.root_join_ns);
    successors_[node] = graph_.first_edge[node];  // from here on: where the next edge goes
  }
  graph_.edges.resize(kept_.size());
  for (const SimEdge& edge : kept_)
    graph_.edges[successors_[edge.from]++] = edge;
}

/// Of the tasks that are next on their streams and that nothing holds back, always the first in
/// program order. False: a circle.
bool MappedStep::issue(std::span<const StreamKind> streams, std::span<const std::uint32_t> order) {
  for (auto& lane : lanes_)
    lane.clear();
  for (const std::uint32_t node : order)
    lanes_[index_of(streams[node])].push_back(node);
  for (std::uint32_t node = 0; node < dag_.size(); ++node)
    held_by_[node] = static_cast<std::uint32_t>(dag_.before(node).size());
  std::array<std::size_t, kStreamCount> next{};
  for (std::uint32_t place = 0; place < dag_.size(); ++place) {
    std::uint32_t first = kNone;
    for (std::size_t stream = 0; stream < kStreamCount; ++stream) {
      if (next[stream] == lanes_[stream].size()) continue;
      const std::uint32_t node = lanes_[stream][next[stream]];
      if (held_by_[node] == 0) first = std::min(first, node);
    }
    if (first == kNone) return false;
    ++next[index_of(streams[first])];
    graph_.order[place] = first;
    place_[first] = place;
    for (const std::uint32_t after : dag_.after(first))
      --held_by_[after];
  }
  return true;
}

void MappedStep::connect(const StepMapping& mapping) {
  const std::vector<StreamKind>& streams = mapping.streams;
  kept_.clear();
  std::fill(successors_.begin(), successors_.end(), 0U);
  on_stream_.fill(0);
  last_on_.fill(kNone);
  for (const std::uint32_t node : graph_.order) {
    const std::size_t stream = index_of(streams[node]);
    rank_[node] = on_stream_[stream]++;
    connect_node(node, streams);
    last_on_[stream] = node;
  }
  add_edges(mapping);
}

/// As ends_of() and launch_gap() do it.
double MappedStep::frame_beside_first(std::span<const StreamKind> streams) const {
  const auto roots = std::count(predecessors_.begin(), predecessors_.end(), 0U);
  std::ptrdiff_t leaves = 0;
  for (std::uint32_t node = 0; node < dag_.size(); ++node) {
    const bool last = last_on_[index_of(streams[node])] == node;
    if (last && graph_.first_edge[node] == graph_.first_edge[node + 1]) ++leaves;
  }
  return device_.graph_root_ns * static_cast<double>(std::max<std::ptrdiff_t>(roots, 1) - 1) +
         device_.graph_leaf_ns * static_cast<double>(std::max<std::ptrdiff_t>(leaves, 1) - 1);
}

double MappedStep::predict(const StepMapping& mapping, SimTimes* times) {
  if (!issue(mapping.streams, mapping.order)) return std::numeric_limits<double>::infinity();
  connect(mapping);
  graph_.between_steps_ns = frame_.between_steps_ns + frame_beside_first(mapping.streams);
  return simulator_.run(graph_, times).step_ns * frame_.correction;
}

double MappedStep::step_ns(const StepMapping& mapping) {
  return predict(mapping, nullptr);
}

double MappedStep::step_ns(const StepMapping& mapping, SimTimes& times) {
  return predict(mapping, &times);
}

std::uint64_t MappedStep::workspace_bytes(std::span<const StreamKind> streams) const {
  std::array<std::uint64_t, kStreamCount> most{};
  for (std::uint32_t node = 0; node < dag_.size(); ++node) {
    std::uint64_t& bytes = most[index_of(streams[node])];
    bytes = std::max(bytes, tasks_[node].workspace_bytes);
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t bytes : most)
    sum += padded_bytes(bytes);
  return sum;
}

TaskWeights weights_of(const PlanInput& input, const CostModel& costs) {
  TaskWeights weights = estimated_weights(input.tasks);
  weights.source = fmt::format("from a {}", name_of(costs.costs.source));
  for (const Task& task : input.tasks) {
    const TaskCost* cost = costs.costs.find(task.name, input.shapes.at(task.shape.value()).name);
    if (cost == nullptr) continue;
    weights.of_task[task.id.value()] = {cost->alone_ns, cost->sm_share, cost->bandwidth_share};
  }
  return weights;
}

Result<StepMapping> mapping_of(const ExecutionPlan& plan, const StepDag& dag) {
  std::map<TaskId, std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < dag.size(); ++node)
    nodes.emplace(dag.node(node).task, node);
  for (const auto& [key, graph] : plan.graphs) {
    const auto known = [&](const PlacedTask& placed) { return nodes.contains(placed.task); };
    if (key.graph != GraphId::WHOLE_STEP_A || graph.tasks.size() != dag.size() ||
        !std::all_of(graph.tasks.begin(), graph.tasks.end(), known)) {
      continue;
    }
    StepMapping mapping;
    mapping.streams.resize(dag.size());
    for (const PlacedTask& placed : graph.tasks) {
      mapping.order.push_back(nodes.at(placed.task));
      mapping.streams[nodes.at(placed.task)] = placed.stream;
    }
    for (const StreamKind stream : kStreamKinds)
      mapping.priorities[index_of(stream)] = plan.lanes[lane_of(stream).value()].priority;
    return mapping;
  }
  return fail("the plan captures no whole step of these tasks", "set step = \"whole_step\"");
}

}  // namespace quintet
